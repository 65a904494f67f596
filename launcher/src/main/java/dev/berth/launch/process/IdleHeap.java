package dev.berth.launch.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives memory back to the system when a busy time is over. The collector does so only when it
/// looks at the whole heap, and for that it waits until the heap is full: after a peak, for days.
public final class IdleHeap implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IdleHeap.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /// Of one processor's time: who has requests then waits for a moment, few are there.
  private static final int IDLE_PERCENT = 10;

  /// Less is not worth the pause, and would be taken again with the next burst of pods.
  private static final long WORTH_IT = 256 << 20;

  private final CountDownLatch closing = new CountDownLatch(1);

  /// What the process has, and what it has done so far.
  record Look(long heap, Duration work) {
    static Look now() {
      return new Look(
          Runtime.getRuntime().totalMemory(),
          ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }
  }

  public static IdleHeap start() {
    IdleHeap idle = new IdleHeap();
    Thread.ofVirtual().name("idle-heap").start(idle::run);
    return idle;
  }

  private void run() {
    Look last = Look.now();
    long settled = last.heap();
    try {
      while (!closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        Look now = Look.now();
        if (isTime(last, now, settled)) {
          System.gc();
          settled = Runtime.getRuntime().totalMemory();
          log.debug("memory given back before={} after={}", now.heap(), settled);
        }
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The process was idle since the last look, and its heap is much larger than it was when it was
  /// last collected.
  static boolean isTime(Look last, Look now, long settled) {
    Duration work = now.work().minus(last.work());
    boolean isIdle = work.multipliedBy(100).compareTo(PERIOD.multipliedBy(IDLE_PERCENT)) < 0;
    return isIdle && now.heap() > settled + Math.max(settled / 2, WORTH_IT);
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
