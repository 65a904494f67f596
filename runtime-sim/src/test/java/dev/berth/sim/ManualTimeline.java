package dev.berth.sim;

import dev.berth.sim.time.SimClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Time that passes when a test says so.
public final class ManualTimeline implements SimClock {
  private record Alarm(Instant due, Runnable task) {}

  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private final List<Alarm> alarms = new ArrayList<>();

  private Instant now = Instant.parse("2026-01-02T03:04:05Z");

  @Override
  public Instant now() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    lock.lock();
    try {
      Alarm alarm = new Alarm(now.plus(delay), task);
      alarms.add(alarm);
      return () -> cancel(alarm);
    } finally {
      lock.unlock();
    }
  }

  /// How many timers wait.
  public int waiting() {
    lock.lock();
    try {
      return alarms.size();
    } finally {
      lock.unlock();
    }
  }

  /// Runs everything that is due on the calling thread, in order.
  public void advance(Duration time) {
    Instant end = now().plus(time);
    while (true) {
      Alarm next;
      lock.lock();
      try {
        next =
            alarms.stream()
                .filter(alarm -> !alarm.due().isAfter(end))
                .min(Comparator.comparing(Alarm::due))
                .orElse(null);
        now = next == null ? end : next.due();
        alarms.remove(next);
      } finally {
        lock.unlock();
      }
      if (next == null) {
        return;
      }
      next.task().run();
    }
  }

  private void cancel(Alarm alarm) {
    lock.lock();
    try {
      alarms.remove(alarm);
    } finally {
      lock.unlock();
    }
  }
}
