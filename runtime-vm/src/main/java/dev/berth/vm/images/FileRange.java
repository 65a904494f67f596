package dev.berth.vm.images;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// A part of a file. Skipping costs nothing.
final class FileRange extends InputStream {
  private final FileChannel file;
  private final long end;
  private long position;

  FileRange(FileChannel file, long start, long size) {
    this.file = file;
    this.position = start;
    this.end = start + size;
  }

  /// In the file.
  long position() {
    return position;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int part = (int) Math.min(length, end - position);
    int read = part <= 0 ? -1 : file.read(ByteBuffer.wrap(bytes, offset, part), position);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) {
    long skipped = Math.clamp(count, 0, end - position);
    position += skipped;
    return skipped;
  }

  /// What decompressors ask for, to see whether another part follows.
  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, end - position);
  }
}
