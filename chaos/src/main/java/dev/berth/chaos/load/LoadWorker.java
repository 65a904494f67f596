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

  /// Does a round of work; called repeatedly.
  abstract void round();

  final boolean isEnded() {
    return ended;
  }

  /// Pauses between rounds, so that the load does not take the whole machine.
  final void pause(Duration time) {
    if (!ended) {
      LockSupport.parkNanos(time.toNanos());
    }
  }

  /// Aborts a long operation of the current round.
  void breakOff() {}

  /// Stops the worker and waits for the end of its round.
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
