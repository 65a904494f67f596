package dev.berth.client.fake;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The body of a watch's answer: blocks until there is an event or the watch has ended.
///
/// The test's thread sends and the client's thread reads. What was sent before the end is still
/// read; a cut discards it, as a broken connection does.
final class WatchStream extends InputStream {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All guarded by the lock.
  private final Deque<byte[]> chunks = new ArrayDeque<>();
  private int offset;
  private boolean ended;
  private @Nullable IOException broken;

  void send(byte[] chunk) {
    lock.lock();
    try {
      if (!ended && broken == null) {
        chunks.add(chunk);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Ends in good order after what was sent.
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends at once, as when the connection breaks.
  void cut() {
    lock.lock();
    try {
      broken = new IOException("connection reset");
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isOver() {
    lock.lock();
    try {
      return ended || broken != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int start, int length) throws IOException {
    lock.lock();
    try {
      while (chunks.isEmpty() && !ended && broken == null) {
        changed.await();
      }
      if (broken != null) {
        throw broken;
      }
      byte[] chunk = chunks.peek();
      if (chunk == null) {
        return -1;
      }
      int count = Math.min(length, chunk.length - offset);
      System.arraycopy(chunk, offset, into, start, count);
      offset += count;
      if (offset == chunk.length) {
        chunks.remove();
        offset = 0;
      }
      return count;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    cut();
  }
}
