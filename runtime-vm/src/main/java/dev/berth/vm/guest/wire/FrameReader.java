package dev.berth.vm.guest.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.CRC32;

/// Reads frames from a socket with a buffer of a fixed size. For one thread.
public final class FrameReader {
  private final ReadableByteChannel channel;
  private final Set<FrameType> accepted;

  /// Holds the largest frame. Its content is what was received and not yet taken.
  private final ByteBuffer buffer =
      ByteBuffer.allocate(2 * (WireFrame.HEADER + WireFrame.MAXIMUM_PAYLOAD)).flip();

  private final CRC32 crc = new CRC32();

  /// A reader of one conversation.
  ///
  /// @param accepted the types that the other side may send
  public FrameReader(ReadableByteChannel channel, Set<FrameType> accepted) {
    this.channel = channel;
    this.accepted = Set.copyOf(accepted);
  }

  /// Skips everything up to and with the nonce.
  ///
  /// @throws ProtocolViolation if it does not come within `bound` bytes
  public void skipTo(byte[] nonce, int bound) throws IOException {
    byte[] last = new byte[nonce.length];
    for (int count = 1; count <= bound; count++) {
      require(1);
      System.arraycopy(last, 1, last, 0, last.length - 1);
      last[last.length - 1] = buffer.get();
      if (last[last.length - 1] == nonce[nonce.length - 1] && Arrays.equals(last, nonce)) {
        return;
      }
    }
    throw new ProtocolViolation("%d bytes without the answer to HELLO".formatted(bound));
  }

  /// The next frame.
  ///
  /// @throws EOFException if the other side closed the socket
  /// @throws ProtocolViolation if what comes is no frame that this side accepts
  public WireFrame next() throws IOException {
    do {
      require(1);
    } while (isPadding());
    int magic = buffer.get(buffer.position()) & 0xFF;
    if (magic != WireFrame.MAGIC) {
      throw new ProtocolViolation("a byte %d where a frame starts".formatted(magic));
    }
    require(WireFrame.HEADER);
    int start = buffer.position();
    buffer.get();
    FrameType type = FrameType.of(buffer.get() & 0xFF);
    int flags = buffer.get() & 0xFF;
    int reserved = buffer.get() & 0xFF;
    int id = buffer.getInt();
    int length = buffer.getInt();
    check(type, flags, reserved, id, length);
    return new WireFrame(type, flags == WireFrame.MORE, id, payload(type, start, length));
  }

  private boolean isPadding() {
    while (buffer.hasRemaining()) {
      if (buffer.get(buffer.position()) != 0) {
        return false;
      }
      buffer.get();
    }
    return true;
  }

  private void check(FrameType type, int flags, int reserved, int id, int length) {
    if (!accepted.contains(type)) {
      throw new ProtocolViolation("a frame %s, which only the other side sends".formatted(type));
    }
    boolean more = flags == WireFrame.MORE && type.hasLongBody();
    if ((flags != 0 && !more) || reserved != 0) {
      throw new ProtocolViolation("%s with the flags %d and %d".formatted(type, flags, reserved));
    }
    if (type.hasId() == (id == 0)) {
      throw new ProtocolViolation(
          "%s with the id %s".formatted(type, Integer.toUnsignedString(id)));
    }
    if (length < 0 || length > WireFrame.MAXIMUM_PAYLOAD) {
      throw new ProtocolViolation(
          "%s with a payload of %s bytes, which may have %d"
              .formatted(type, Integer.toUnsignedString(length), WireFrame.MAXIMUM_PAYLOAD));
    }
  }

  private byte[] payload(FrameType type, int start, int length) throws IOException {
    crc.reset();
    crc.update(buffer.array(), start, buffer.position() - start);
    int expected = buffer.getInt();
    require(length);
    byte[] payload = new byte[length];
    buffer.get(payload);
    crc.update(payload);
    if ((int) crc.getValue() != expected) {
      throw new ProtocolViolation("%s with a wrong checksum".formatted(type));
    }
    return payload;
  }

  /// Waits until so many bytes are in the buffer. A guest that sends all the time keeps no thread
  /// of the processor for itself: a read that finds bytes does not give way to other virtual
  /// threads.
  @SuppressWarnings("ThreadPriorityCheck")
  private void require(int count) throws IOException {
    if (buffer.remaining() >= count) {
      return;
    }
    buffer.compact();
    try {
      while (buffer.position() < count) {
        if (channel.read(buffer) < 0) {
          throw new EOFException("the socket was closed");
        }
      }
    } finally {
      buffer.flip();
    }
    Thread.yield();
  }
}
