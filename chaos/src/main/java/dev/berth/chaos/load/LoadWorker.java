package dev.berth.chaos.load;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A client on a thread of its own, which works until it is closed.
abstract class LoadWorker implements AutoCloseable {
  private final Thread thread;
  private volatile boolean ended;

  LoadWorker(String name) {
    thread = Thread.ofVirtual().name(name).unstarted(this::work);
  }

  final void start() {
    thread.start();
  }

  private void work() {
    while (!ended) {
      round();
    }
  }

  /// One piece of work; called again and again.
  abstract void round();

  final boolean isEnded() {
    return ended;
  }

  /// Lets the machine breathe, and the ended see that they are.
  final void pause(Duration time) {
    if (!ended) {
      LockSupport.parkNanos(time.toNanos());
    }
  }

  /// Breaks off what would go on for long.
  void breakOff() {}

  /// Waits for what it is doing.
  @Override
  public void close() {
    ended = true;
    breakOff();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
