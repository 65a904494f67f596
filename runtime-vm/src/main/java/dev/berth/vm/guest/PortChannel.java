package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.ProtocolViolation;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A connection to a port of the guest.
final class PortChannel implements GuestChannel, GuestConnection {
  private final GuestLink link;
  private final int id;
  private final Runnable over;
  private final ChannelOutput output;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Guarded by the lock, as the fields below.
  private final StreamBuffer received = new StreamBuffer();

  private final ReceiveWindow window = new ReceiveWindow();
  private boolean inputEnded;
  private boolean outputEnded;

  /// Why nothing can be read any more, even if the guest has not ended its direction.
  private @Nullable String broken;

  /// @param over runs when the guest sends nothing more that counts
  PortChannel(GuestLink link, int id, Runnable over) {
    this.link = link;
    this.id = id;
    this.over = over;
    this.output = new ChannelOutput(link, id, this::outputEnded);
  }

  @Override
  public ChannelOutput output() {
    return output;
  }

  @Override
  public void data(GuestStream stream, byte[] bytes) {
    lock.lock();
    try {
      if (inputEnded || stream != GuestStream.STDOUT) {
        throw new ProtocolViolation("data of a connection after its end, or beside it");
      }
      if (broken == null) {
        window.received(bytes.length);
        received.add(stream, bytes);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void ended() {
    lock.lock();
    try {
      inputEnded = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void reset() {
    stop("the program in guest %s reset the connection".formatted(link.guest()));
  }

  @Override
  public void disconnected(ConnectionEnd reason) {
    stop(reason.problem().toString());
  }

  /// @return whether the channel was not over before
  private boolean stop(String reason) {
    output.stop(reason);
    lock.lock();
    try {
      boolean wasOpen = broken == null && !(inputEnded && outputEnded);
      if (broken == null && !inputEnded) {
        broken = reason;
      }
      changed.signalAll();
      return wasOpen;
    } finally {
      lock.unlock();
    }
  }

  private void outputEnded() {
    lock.lock();
    try {
      outputEnded = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public InputStream input() {
    return new PortInput();
  }

  @Override
  public void close() {
    boolean wasOpen = stop("the connection was closed");
    lock.lock();
    try {
      broken = "the connection was closed";
      received.clear();
    } finally {
      lock.unlock();
    }
    if (wasOpen) {
      link.sendNow(FrameType.RESET, id, new byte[0]);
    }
    over.run();
  }

  private int read(byte[] target, int from, int length) throws IOException {
    try {
      int count;
      int credit;
      lock.lockInterruptibly();
      try {
        while (received.isEmpty() && !inputEnded && broken == null) {
          changed.await();
        }
        // What came before a reset is still read, as from a socket.
        if (received.isEmpty()) {
          return endOfInput();
        }
        count = received.take(target, from, length);
        credit = window.taken(count, !received.isEmpty());
      } finally {
        lock.unlock();
      }
      ReceiveWindow.sendCredit(link, id, credit);
      return count;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while guest %s sends nothing".formatted(link.guest()));
    }
  }

  private int endOfInput() throws IOException {
    if (broken != null) {
      throw new IOException(broken);
    }
    return -1;
  }

  private final class PortInput extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return PortChannel.this.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      Objects.checkFromIndexSize(from, length, target.length);
      return length == 0 ? 0 : PortChannel.this.read(target, from, length);
    }
  }
}
