package dev.berth.vm.guest;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Frames on their way to the guest, so many bytes at most. One larger entry is taken when nothing
/// else waits, so that the frames of a body stay together.
final class FrameQueue {
  static final int BOUND = 256 << 10;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Guarded by the lock, as the fields below.
  private final Queue<byte[]> frames = new ArrayDeque<>();

  private int bytes;
  private boolean closed;

  /// Puts frames at the end, and waits for room until the deadline. Drops them when the connection
  /// is over: whoever waits for an answer learns it elsewhere.
  ///
  /// @param deadline as of `System.nanoTime()`
  /// @return false if there was no room
  boolean put(byte[] frame, long deadline) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && bytes > 0 && bytes + frame.length > BOUND) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        changed.awaitNanos(left);
      }
      add(frame);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Puts a frame at the end, whether there is room or not.
  void putNow(byte[] frame) {
    lock.lock();
    try {
      add(frame);
    } finally {
      lock.unlock();
    }
  }

  private void add(byte[] frame) {
    if (!closed) {
      frames.add(frame);
      bytes += frame.length;
      changed.signalAll();
    }
  }

  /// Waits for the next frames; empty when the connection is over.
  Optional<byte[]> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && frames.isEmpty()) {
        changed.await();
      }
      if (closed) {
        return Optional.empty();
      }
      byte[] frame = frames.remove();
      bytes -= frame.length;
      changed.signalAll();
      return Optional.of(frame);
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      frames.clear();
      bytes = 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// A deadline that never comes.
  static long never() {
    return System.nanoTime() + TimeUnit.DAYS.toNanos(36_500);
  }
}
