package dev.berth.vm.machine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Notices the end of a process that need not be a child of this one. The end of the monitor's
/// connection is the first sign; looking now and then finds what the sign did not.
final class ExitWatch {
  private static final Duration LOOK = Duration.ofSeconds(2);

  /// A process that closed its files is gone within this time, or it closed only one.
  private static final Duration ENDING = Duration.ofSeconds(1);

  private final ProcessIdentity process;
  private final CompletableFuture<MachineExit> exit = new CompletableFuture<>();
  private final Semaphore signs = new Semaphore(0);

  ExitWatch(ProcessIdentity process) {
    this.process = process;
  }

  /// @param reason decides why the machine is gone; called once
  void start(Supplier<MachineExit> reason) {
    Thread.ofVirtual().name("vm-exit-" + process.pid()).start(() -> watch(reason));
  }

  private void watch(Supplier<MachineExit> reason) {
    try {
      while (process.alive()) {
        if (signs.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
          process.awaitEnd(ENDING);
          signs.drainPermits();
        }
      }
      exit.complete(reason.get());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      exit.completeExceptionally(failure);
    }
  }

  void sign() {
    signs.release();
  }

  void completed(MachineExit known) {
    exit.complete(known);
  }

  Optional<MachineExit> now() {
    return exit.isDone() ? Optional.of(exit.join()) : Optional.empty();
  }

  Optional<MachineExit> await(Duration limit) throws InterruptedException {
    try {
      return Optional.of(exit.get(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException stillThere) {
      return Optional.empty();
    } catch (ExecutionException failure) {
      throw new IllegalStateException(failure.getCause());
    }
  }

  void listen(Consumer<MachineExit> listener) {
    var _ =
        exit.thenAcceptAsync(
            listener, task -> Thread.ofVirtual().name("vm-ended-" + process.pid()).start(task));
  }
}
