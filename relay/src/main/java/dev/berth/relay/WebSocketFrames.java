package dev.berth.relay;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Reads the frames of a WebSocket client (RFC 6455) as their bytes come in.
///
/// Control frames are delivered whole; data are delivered as they come, without being kept.
public final class WebSocketFrames {
  public static final int TEXT = 1;
  public static final int BINARY = 2;
  public static final int CLOSE = 8;
  public static final int PING = 9;
  public static final int PONG = 10;

  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int MASKED = 0x80;
  private static final int MASK_BYTES = 4;
  private static final int MAX_CONTROL = 125;

  /// What the frames are for.
  public interface Listener {
    void ping(byte[] payload);

    void goodBye();

    /// A piece of a message; who does not override this takes no messages.
    ///
    /// @param last whether the message ends with this piece
    default void data(byte[] piece, boolean last) throws IOException {}
  }

  private final Listener listener;
  private final byte[] head = new byte[2 + Long.BYTES + MASK_BYTES];
  private int headBytes;
  private long payloadLeft;

  /// Bytes of the payload that were read; the mask repeats every four.
  private long payloadRead;

  private byte[] control = new byte[0];
  private int controlBytes;

  public WebSocketFrames(Listener listener) {
    this.listener = listener;
  }

  /// Reads bytes, and delivers what they complete.
  ///
  /// @throws ProtocolException when the client breaks the rules of the protocol
  /// @throws IOException that the listener has thrown
  public void read(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (payloadLeft > 0) {
        readPayload(bytes);
      } else {
        readHead(bytes);
      }
    }
  }

  private void readHead(ByteBuffer bytes) throws IOException {
    head[headBytes++] = bytes.get();
    if (headBytes < 2 || headBytes < headLength()) {
      return;
    }
    check();
    payloadLeft = payloadLength();
    payloadRead = 0;
    if (isControl()) {
      control = new byte[(int) payloadLeft];
      controlBytes = 0;
    }
    if (payloadLeft == 0) {
      endFrame();
    }
  }

  private int headLength() {
    return 2 + lengthBytes() + MASK_BYTES;
  }

  private int lengthBytes() {
    return switch (head[1] & 0x7f) {
      case 126 -> Short.BYTES;
      case 127 -> Long.BYTES;
      default -> 0;
    };
  }

  private long payloadLength() {
    return switch (lengthBytes()) {
      case Short.BYTES -> Short.toUnsignedInt(ByteBuffer.wrap(head).getShort(2));
      case Long.BYTES -> ByteBuffer.wrap(head).getLong(2);
      default -> head[1] & 0x7f;
    };
  }

  private void check() throws ProtocolException {
    if ((head[0] & RESERVED) != 0) {
      throw new ProtocolException("an extension was not agreed on");
    }
    if ((head[1] & MASKED) == 0) {
      throw new ProtocolException("frames of clients must be masked");
    }
    if (payloadLength() < 0) {
      throw new ProtocolException("a frame cannot be that long");
    }
    if (isControl() && (!isFinal() || payloadLength() > MAX_CONTROL)) {
      throw new ProtocolException("control frames must be whole and short");
    }
  }

  private int opcode() {
    return head[0] & 0x0f;
  }

  private boolean isControl() {
    return opcode() >= CLOSE;
  }

  private void readPayload(ByteBuffer bytes) throws IOException {
    int taken = (int) Math.min(payloadLeft, bytes.remaining());
    byte[] piece = new byte[taken];
    bytes.get(piece);
    unmask(piece);
    payloadLeft -= taken;
    payloadRead += taken;
    if (isControl()) {
      System.arraycopy(piece, 0, control, controlBytes, taken);
      controlBytes += taken;
    } else if (payloadLeft > 0) {
      listener.data(piece, false);
    } else {
      listener.data(piece, isFinal());
    }
    if (payloadLeft == 0) {
      endFrame();
    }
  }

  private void unmask(byte[] piece) {
    int mask = headLength() - MASK_BYTES;
    int start = (int) (payloadRead % MASK_BYTES);
    for (int i = 0; i < piece.length; i++) {
      piece[i] ^= head[mask + (start + i) % MASK_BYTES];
    }
  }

  private boolean isFinal() {
    return (head[0] & FINAL) != 0;
  }

  private void endFrame() throws IOException {
    if (isControl()) {
      switch (opcode()) {
        case PING -> listener.ping(control);
        case CLOSE -> listener.goodBye();
        default -> {
          // A pong that nobody asked for.
        }
      }
    } else if (payloadRead == 0) {
      listener.data(new byte[0], isFinal());
    }
    headBytes = 0;
    Arrays.fill(head, (byte) 0);
  }

  /// The head of a frame that the server sends: final and not masked.
  public static ByteBuffer head(int opcode, int length) {
    ByteBuffer head = ByteBuffer.allocate(2 + Long.BYTES);
    head.put((byte) (FINAL | opcode));
    if (length <= MAX_CONTROL) {
      head.put((byte) length);
    } else if (length <= 0xffff) {
      head.put((byte) 126).putShort((short) length);
    } else {
      head.put((byte) 127).putLong(length);
    }
    return head.flip();
  }
}
