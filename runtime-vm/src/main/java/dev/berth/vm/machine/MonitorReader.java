package dev.berth.vm.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Splits what QEMU sends into lines. A QEMU that its guest took over may send anything, for ever:
/// lines and the flow of bytes are bounded. Confined to one thread.
final class MonitorReader {
  private static final int LONGEST_LINE = 1 << 18;

  /// Far more than the answers and events of a well-behaved QEMU.
  private static final long BYTES_OF_A_WINDOW = 1 << 23;

  private static final long WINDOW_NANOS = 10_000_000_000L;

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 14).flip();
  private byte[] line = new byte[1 << 10];
  private long windowStart = System.nanoTime();
  private long windowBytes;

  MonitorReader(SocketChannel channel) {
    this.channel = channel;
  }

  /// @throws IOException also when QEMU closed the connection
  String line() throws IOException {
    int length = 0;
    while (true) {
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          return new String(line, 0, length, StandardCharsets.UTF_8);
        }
        if (length == LONGEST_LINE) {
          throw new MonitorException("QEMU sent a line longer than %d bytes".formatted(length));
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = next;
      }
      fill();
    }
  }

  private void fill() throws IOException {
    buffer.clear();
    int count = channel.read(buffer);
    buffer.flip();
    if (count < 0) {
      throw new MonitorException("QEMU closed its monitor");
    }
    long now = System.nanoTime();
    if (now - windowStart > WINDOW_NANOS) {
      windowStart = now;
      windowBytes = 0;
    }
    windowBytes += count;
    if (windowBytes > BYTES_OF_A_WINDOW) {
      throw new MonitorException("QEMU sent %d bytes within seconds".formatted(windowBytes));
    }
  }
}
