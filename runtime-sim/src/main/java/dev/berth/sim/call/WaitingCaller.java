package dev.berth.sim.call;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.sim.time.SimClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// The caller that waits for the answer of a call.
public interface WaitingCaller {
  /// A caller that never gives up.
  WaitingCaller PATIENT = _ -> {};

  /// Runs the task when the caller gives up, or at once if that has happened already.
  void onGivingUp(Runnable task);

  /// Waits for a time; throws CANCELLED when the caller gives up before it is over.
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
    // The latch orders the other thread's write before this read.
    if (gone[0]) {
      throw new CallRefusal(io.grpc.Status.Code.CANCELLED, "context canceled");
    }
  }
}
