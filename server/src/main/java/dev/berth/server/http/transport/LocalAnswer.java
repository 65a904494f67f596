package dev.berth.server.http.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// An answer between two threads of this process: the handler writes, the client reads.
///
/// The writer may be ahead of the reader by a bounded number of bytes, as with a socket.
///
/// The bound matters for watches: without it a controller that stalls would collect all events in
/// memory. A writer that is too far ahead waits by its callback, not by blocking, because Jetty's
/// write is asynchronous.
final class LocalAnswer extends InputStream {
  /// Bytes that the writer may be ahead of the reader.
  private static final int AHEAD = 256 << 10;

  private final Runnable hangUp;

  /// Guards all fields below. Callbacks run outside of it, because they continue the handler.
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  /// Written and unread bytes; copies, because the writer reuses its buffers.
  private final Queue<ByteBuffer> ready = new ArrayDeque<>();

  private int status;
  private int unread;
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable failure;

  /// Callback of the write that waits for the reader.
  private @Nullable Callback waiting;

  /// @param hangUp notifies the writer when the reader closes the answer
  LocalAnswer(Runnable hangUp) {
    this.hangUp = hangUp;
  }

  void begin(int code) {
    lock.lock();
    try {
      status = code;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void write(@Nullable ByteBuffer content, boolean last, Callback callback) {
    Throwable broken;
    lock.lock();
    try {
      broken = closed ? new IOException("the reader has closed the answer") : failure;
      if (broken == null) {
        add(content);
        ended |= last;
        changed.signalAll();
        // The last write never waits: the handler is done, and its thread and exchange can go.
        if (unread > AHEAD && !last) {
          waiting = callback;
          return;
        }
      }
    } finally {
      lock.unlock();
    }
    if (broken == null) {
      callback.succeeded();
    } else {
      callback.failed(broken);
    }
  }

  private void add(@Nullable ByteBuffer content) {
    if (content != null && content.hasRemaining()) {
      byte[] copy = new byte[content.remaining()];
      content.get(copy);
      ready.add(ByteBuffer.wrap(copy));
      unread += copy.length;
    }
  }

  /// Ends the answer; without a failure after the last bytes.
  void end(@Nullable Throwable why) {
    lock.lock();
    try {
      if (!ended) {
        ended = true;
        failure = why;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Takes the waiting write, if any; the caller must complete it.
  @Nullable Callback takeWaiting() {
    lock.lock();
    try {
      Callback taken = waiting;
      waiting = null;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for the head of the answer.
  ///
  /// @return its code
  int status(Duration limit) throws IOException {
    long nanos = limit.toNanos();
    lock.lock();
    try {
      while (status == 0 && failure == null && !ended) {
        if (nanos <= 0) {
          throw new IOException("no answer within " + limit);
        }
        nanos = changed.awaitNanos(nanos);
      }
      if (status == 0) {
        throw new IOException("the request was broken off", failure);
      }
      return status;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for an answer");
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
  public int read(byte[] into, int at, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int taken;
    Callback caughtUp;
    lock.lock();
    try {
      awaitBytes();
      ByteBuffer first = ready.peek();
      if (first == null) {
        return -1;
      }
      taken = Math.min(length, first.remaining());
      first.get(into, at, taken);
      unread -= taken;
      if (!first.hasRemaining()) {
        ready.remove();
      }
      // Half of the bound, so that writer and reader do not wake each other for every few bytes.
      caughtUp = unread <= AHEAD / 2 ? takeWaiting() : null;
    } finally {
      lock.unlock();
    }
    if (caughtUp != null) {
      caughtUp.succeeded();
    }
    return taken;
  }

  private void awaitBytes() throws IOException {
    try {
      while (ready.isEmpty() && !ended && !closed) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading an answer");
    }
    if (closed) {
      throw new IOException("the answer has been closed");
    }
    if (ready.isEmpty() && failure != null) {
      throw new IOException("the answer is incomplete: " + failure.getMessage(), failure);
    }
  }

  /// An early close ends the handler, which would otherwise write for nobody.
  @Override
  public void close() {
    boolean isEarly;
    lock.lock();
    try {
      isEarly = !closed && !ended;
      closed = true;
      ready.clear();
      unread = 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (isEarly) {
      hangUp.run();
    }
  }
}
