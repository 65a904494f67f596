package dev.berth.agent.timing;

import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Wakes one waiting thread, now or at its next wait; several rings before a wait count once.
public final class WakeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();

  /// Guarded by the lock.
  private boolean ringing;

  public void ring() {
    lock.lock();
    try {
      ringing = true;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!ringing) {
        rung.await();
      }
      ringing = false;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a ring, at most the given time.
  public void await(Duration atMost, DelayedActions delays) throws InterruptedException {
    DelayedActions.Pending pending = delays.after(atMost, this::ring);
    try {
      await();
    } finally {
      pending.cancel();
    }
  }
}
