package dev.berth.launch.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Returns memory to the system after a peak of load. The serial collector does so only after a
/// full collection, and it starts one only when the heap is full: after a peak, days later.
public final class IdleHeap implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IdleHeap.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /// Upper bound of the processor time, in percent of one processor, at which the process counts as
  /// idle. Requests wait during the collection, so there must be few.
  private static final int IDLE_PERCENT = 10;

  /// Minimum number of bytes to return. Less is not worth the pause, and would be taken again with
  /// the next burst of pods.
  private static final long WORTH_IT = 256 << 20;

  private final CountDownLatch closing = new CountDownLatch(1);

  /// The size of the heap, and the processor time that the process has used since its start.
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
          log.debug("returned memory to the system before={} after={}", now.heap(), settled);
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
