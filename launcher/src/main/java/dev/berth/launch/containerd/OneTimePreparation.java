package dev.berth.launch.containerd;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/// What has to be done once before any of several may start; whoever comes first does it, and it is
/// tried again when it failed.
final class OneTimePreparation {
  /// What is to be done.
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
