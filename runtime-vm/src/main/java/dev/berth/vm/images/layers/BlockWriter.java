package dev.berth.vm.images.layers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Writes the data of a layer: contents one behind the other, each from the start of a block.
final class BlockWriter {
  static final int BLOCK = 4096;
  private static final int BUFFER = 1024 * 1024;

  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private long written;

  BlockWriter(FileChannel file) {
    this.file = file;
  }

  /// Where the next content starts.
  int nextBlock() throws LayerFormatException {
    long block = (written + buffer.position()) / BLOCK;
    if (block > Integer.MAX_VALUE) {
      throw new LayerFormatException("its files have more than 8 TiB");
    }
    return (int) block;
  }

  void write(byte[] bytes, int length) throws IOException {
    for (int done = 0; done < length; ) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = Math.min(length - done, buffer.remaining());
      buffer.put(bytes, done, part);
      done += part;
    }
  }

  /// Fills the last block of a content with zeros.
  void endContent() {
    // The buffer holds whole blocks, so that the rest of a block fits in.
    while (buffer.position() % BLOCK != 0) {
      buffer.put((byte) 0);
    }
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
