package dev.berth.sim.shell;

import dev.berth.cri.streaming.CommandInput;
import dev.berth.sim.time.SimClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The signals and the standard input of a process. Any thread may send; one thread, that of the
/// process, receives. Signals come before input.
public final class ProcessInbox implements CommandInput {
  public static final int INTERRUPT = 2;
  public static final int KILL = 9;
  public static final int TERMINATE = 15;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();

  /// Guarded by the lock, as all fields below.
  private final Queue<Integer> signals = new ArrayDeque<>();

  private final Queue<byte[]> input = new ArrayDeque<>();
  private boolean inputEnded;

  public void signal(int number) {
    locked(() -> signals.add(number));
  }

  @Override
  public void feed(byte[] bytes) {
    locked(() -> input.add(bytes));
  }

  @Override
  public void endInput() {
    locked(() -> inputEnded = true);
  }

  /// A simulated terminal has no size.
  @Override
  public void resize(int width, int height) {}

  /// Waits for a signal; returns 0 when the time passes without one.
  int awaitSignal(SimClock timeline, @Nullable Duration limit) {
    boolean[] over = {false};
    SimClock.@Nullable Timer timer =
        limit == null ? null : timeline.after(limit, () -> locked(() -> over[0] = true));
    lock.lock();
    try {
      await(() -> !signals.isEmpty() || over[0]);
      return signals.isEmpty() ? 0 : signals.remove();
    } finally {
      lock.unlock();
      if (timer != null) {
        timer.cancel();
      }
    }
  }

  /// A signal that has arrived, or 0.
  int pendingSignal() {
    lock.lock();
    try {
      return signals.isEmpty() ? 0 : signals.remove();
    } finally {
      lock.unlock();
    }
  }

  /// The next bytes: none at the end of the input, and null when a signal comes first.
  byte @Nullable [] read() {
    lock.lock();
    try {
      await(() -> !signals.isEmpty() || !input.isEmpty() || inputEnded);
      if (!signals.isEmpty()) {
        return null;
      }
      return input.isEmpty() ? new byte[0] : input.remove();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a condition, with the lock held. An interrupt means that the simulator stops, and
  /// kills this process.
  private void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      try {
        arrived.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        signals.add(KILL);
        return;
      }
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
