package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Calls that wait for a guest while the test plays the guest.
final class GuestCalls {
  private GuestCalls() {}

  static FutureTask<Boolean> run(Runnable call) {
    return start(
        () -> {
          call.run();
          return true;
        });
  }

  static <T> FutureTask<T> start(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofVirtual().start(task);
    return task;
  }

  static GuestException failure(FutureTask<?> task) throws InterruptedException {
    try {
      task.get();
      throw new AssertionError("no failure");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GuestException failure) {
        return failure;
      }
      throw new AssertionError("another failure", e);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
