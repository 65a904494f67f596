package dev.berth.vm.images.erofs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/// Writes little-endian numbers at growing positions of a file; what is left out is zero.
final class MetadataOutput {
  private static final int BUFFER = 256 * 1024;
  private static final byte[] ZEROS = new byte[ErofsFormat.BLOCK];

  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
  private long written;

  MetadataOutput(FileChannel file) {
    this.file = file;
  }

  long position() {
    return written + buffer.position();
  }

  void zerosTo(long position) throws IOException {
    if (position < position()) {
      throw new IllegalStateException(
          "position %d is behind %d already".formatted(position, position()));
    }
    while (position() < position) {
      bytes(ZEROS, 0, (int) Math.min(ZEROS.length, position - position()));
    }
  }

  void u8(int value) throws IOException {
    room(1).put((byte) value);
  }

  void u16(int value) throws IOException {
    room(2).putShort((short) value);
  }

  void u32(long value) throws IOException {
    room(4).putInt((int) value);
  }

  void u64(long value) throws IOException {
    room(8).putLong(value);
  }

  void bytes(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, room(1).remaining());
      buffer.put(bytes, offset + done, part);
      done += part;
    }
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
    return buffer;
  }

  void flush() throws IOException {
    buffer.flip();
    written += buffer.remaining();
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
    buffer.clear();
  }
}
