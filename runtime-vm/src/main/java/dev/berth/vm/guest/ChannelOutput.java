package dev.berth.vm.guest;

import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.ProtocolViolation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The host's direction of a channel: sends as much as the guest has given credit for.
final class ChannelOutput extends OutputStream {
  static final int INITIAL_CREDIT = 32768;

  private static final int MOST_OF_A_FRAME = WireFrame.MAXIMUM_PAYLOAD - 1;

  private final GuestLink link;
  private final int id;
  private final Runnable ended;

  /// Held during a write, so that the writes of several threads do not mix and `END` comes last.
  private final ReentrantLock writing = new ReentrantLock();

  /// Taken within the other one, never around it.
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  /// Guarded by `lock`, as the next one.
  private int credit = INITIAL_CREDIT;

  /// Why nothing can be written any more.
  private @Nullable String over;

  private volatile boolean closed;

  /// Guarded by `writing`.
  private boolean endSent;

  /// @param ended runs once `END` was sent
  ChannelOutput(GuestLink link, int id, Runnable ended) {
    this.link = link;
    this.id = id;
    this.ended = ended;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value});
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    try {
      writing.lockInterruptibly();
      try {
        for (int sent = 0; sent < length; ) {
          int count = awaitCredit(Math.min(length - sent, MOST_OF_A_FRAME));
          byte[] data = new BodyWriter().u8(0).raw(bytes, from + sent, count).toBytes();
          link.send(FrameType.DATA, id, data);
          sent += count;
        }
      } finally {
        writing.unlock();
        sendEndIfDue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while guest %s does not read".formatted(link.guest()));
    }
  }

  private int awaitCredit(int wanted) throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (credit == 0 && over == null) {
        changed.await();
      }
      if (over != null) {
        throw new IOException(over);
      }
      int count = Math.min(wanted, credit);
      credit -= count;
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// Ends this direction. A write that waits fails.
  @Override
  public void close() {
    closed = true;
    stop("the stream to guest %s was closed".formatted(link.guest()));
    sendEndIfDue();
  }

  /// Whoever holds the lock of writers sends `END` when it lets go, so nobody waits for it.
  private void sendEndIfDue() {
    if (!closed || !writing.tryLock()) {
      return;
    }
    try {
      if (!endSent) {
        endSent = true;
        link.sendNow(FrameType.END, id, new byte[0]);
        ended.run();
      }
    } finally {
      writing.unlock();
    }
  }

  /// Lets every write fail from now on.
  void stop(String reason) {
    lock.lock();
    try {
      if (over == null) {
        over = reason;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// @throws ProtocolViolation if the guest returns more than it was sent
  void credit(long bytes) {
    lock.lock();
    try {
      if (bytes > INITIAL_CREDIT - credit) {
        throw new ProtocolViolation(
            "credit for %d bytes of which %d were sent".formatted(bytes, INITIAL_CREDIT - credit));
      }
      credit += (int) bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
