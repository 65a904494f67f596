package dev.berth.vm.guest.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/// One frame.
///
/// @param more whether the next frame of this type continues the body
/// @param id of a request or a channel, without sign; 0 where the type has none
@SuppressWarnings("ArrayRecordComponent")
public record WireFrame(FrameType type, boolean more, int id, byte[] payload) {
  public static final int VERSION = 1;

  /// Bytes of a payload.
  public static final int MAXIMUM_PAYLOAD = 16384;

  /// Bytes of a body, which may be in several frames.
  public static final int MAXIMUM_BODY = 2 << 20;

  public static final int NONCE_BYTES = 16;

  static final int MAGIC = 0xB7;
  static final int HEADER = 16;
  static final int MORE = 1;

  private static final int COUNT_OF_ZEROS = 2 * (HEADER + MAXIMUM_PAYLOAD);

  /// A body as one frame or several, ready to be written.
  public static byte[] encode(FrameType type, int id, byte[] body) {
    if (body.length > MAXIMUM_PAYLOAD && !type.hasLongBody()) {
      throw new IllegalArgumentException("%s with %d bytes".formatted(type, body.length));
    }
    int count = Math.max(1, Math.ceilDiv(body.length, MAXIMUM_PAYLOAD));
    ByteBuffer frames = ByteBuffer.allocate(count * HEADER + body.length);
    CRC32 crc = new CRC32();
    for (int from = 0, left = count; left > 0; from += MAXIMUM_PAYLOAD, left--) {
      int length = Math.min(MAXIMUM_PAYLOAD, body.length - from);
      int start = frames.position();
      frames.put((byte) MAGIC).put((byte) type.code()).put((byte) (left > 1 ? MORE : 0));
      frames.put((byte) 0).putInt(id).putInt(length);
      crc.reset();
      crc.update(frames.array(), start, frames.position() - start);
      crc.update(body, from, length);
      frames.putInt((int) crc.getValue()).put(body, from, length);
    }
    return frames.array();
  }

  /// The first bytes of a conversation.
  ///
  /// @param completing zeros come first, which complete whatever frame the guest has a part of
  public static byte[] opening(byte[] hello, boolean completing) {
    ByteArrayOutputStream opening = new ByteArrayOutputStream();
    if (completing) {
      opening.writeBytes(new byte[COUNT_OF_ZEROS]);
    }
    opening.writeBytes(encode(FrameType.HELLO, 0, hello));
    return opening.toByteArray();
  }
}
