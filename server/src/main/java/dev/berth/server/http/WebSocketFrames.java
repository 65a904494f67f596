package dev.berth.server.http;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Reads the frames of a WebSocket client (RFC 6455) as their bytes come in.
///
/// Control frames are delivered; what clients send as data is passed over without being kept.
final class WebSocketFrames {
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;

  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int MASKED = 0x80;
  private static final int MASK_BYTES = 4;
  private static final int MAX_CONTROL = 125;

  /// What the frames are for.
  interface Listener {
    void ping(byte[] payload);

    void goodBye();
  }

  private final Listener listener;
  private final byte[] head = new byte[2 + Long.BYTES + MASK_BYTES];
  private int headBytes;
  private long payloadLeft;
  private byte[] control = new byte[0];
  private int controlBytes;

  WebSocketFrames(Listener listener) {
    this.listener = listener;
  }

  void read(ByteBuffer bytes) throws ProtocolException {
    while (bytes.hasRemaining()) {
      if (payloadLeft > 0) {
        readPayload(bytes);
      } else {
        readHead(bytes);
      }
    }
  }

  private void readHead(ByteBuffer bytes) throws ProtocolException {
    head[headBytes++] = bytes.get();
    if (headBytes < 2 || headBytes < headLength()) {
      return;
    }
    check();
    payloadLeft = payloadLength();
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
    if (isControl() && ((head[0] & FINAL) == 0 || payloadLength() > MAX_CONTROL)) {
      throw new ProtocolException("control frames must be whole and short");
    }
  }

  private int opcode() {
    return head[0] & 0x0f;
  }

  private boolean isControl() {
    return opcode() >= CLOSE;
  }

  private void readPayload(ByteBuffer bytes) {
    int taken = (int) Math.min(payloadLeft, bytes.remaining());
    if (isControl()) {
      bytes.get(control, controlBytes, taken);
      controlBytes += taken;
    } else {
      bytes.position(bytes.position() + taken);
    }
    payloadLeft -= taken;
    if (payloadLeft == 0) {
      endFrame();
    }
  }

  private void endFrame() {
    if (isControl()) {
      int mask = headLength() - MASK_BYTES;
      for (int i = 0; i < control.length; i++) {
        control[i] ^= head[mask + i % MASK_BYTES];
      }
      switch (opcode()) {
        case PING -> listener.ping(control);
        case CLOSE -> listener.goodBye();
        default -> {
          // A pong that nobody asked for.
        }
      }
    }
    headBytes = 0;
    Arrays.fill(head, (byte) 0);
  }

  /// The head of a frame that the server sends: final and not masked.
  static ByteBuffer head(int opcode, int length) {
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
