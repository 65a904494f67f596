package dev.berth.launch.containerd;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/// Work that must be done once before the first of several processes starts. It is tried again
/// after a failure.
final class OneTimePreparation {
  /// The work to do.
  interface Work {
    void run() throws IOException;
  }

  private final Work work;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private boolean done;

  OneTimePreparation(Work work) {
    this.work = work;
  }

  void ensure() throws IOException {
    lock.lock();
    try {
      if (!done) {
        work.run();
        done = true;
      }
    } finally {
      lock.unlock();
    }
  }
}
