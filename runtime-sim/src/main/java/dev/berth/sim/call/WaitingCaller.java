package dev.berth.sim.call;

import dev.berth.sim.time.SimClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// Who waits for an answer.
public interface WaitingCaller {
  /// Someone who waits as long as it takes.
  WaitingCaller PATIENT = _ -> {};

  /// Runs the task when the caller gives up; at once if that has happened already.
  void onGivingUp(Runnable task);

  /// Lets time pass; throws when the caller gives up meanwhile.
  default void pause(SimClock timeline, Duration time) {
    if (time.isZero()) {
      return;
    }
    CountDownLatch over = new CountDownLatch(1);
    SimClock.Timer timer = timeline.after(time, over::countDown);
    boolean[] gone = {false};
    onGivingUp(
        () -> {
          gone[0] = true;
          over.countDown();
        });
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      gone[0] = true;
    } finally {
      timer.cancel();
    }
    if (gone[0]) {
      throw new CallRefusal(io.grpc.Status.Code.CANCELLED, "context canceled");
    }
  }
}
