package dev.berth.server.http.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Collects small pieces into buffers of a good size for the network; a small answer is sent in one
/// write with its length.
///
/// One thread uses an instance. `flush` returns when the connection has taken the bytes, so a slow
/// client holds no more than the buffer.
public final class ChunkedOutput extends EventOutput {
  private static final int SIZE = 128 << 10;

  /// Size of buffers while the backlog is nearly full.
  private static final int TIGHT_SIZE = 16 << 10;

  private final ServerExchange exchange;
  private final byte[] buffer;
  private int used;

  public ChunkedOutput(ServerExchange exchange, int expected) {
    this.exchange = exchange;
    int most = exchange.backlog().isTight() ? TIGHT_SIZE : SIZE;
    // Many small buffers reach more clients than few large ones when slow clients hold most of the
    // memory.
    this.buffer = new byte[Math.clamp(expected, 512, most)];
  }

  @Override
  public void write(int b) throws IOException {
    if (used == buffer.length) {
      flush();
    }
    buffer[used++] = (byte) b;
  }

  /// Large pieces are copied in parts of the buffer, so memory stays bounded for any length.
  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int at = from;
    int left = length;
    while (left > buffer.length - used) {
      int fits = buffer.length - used;
      System.arraycopy(bytes, at, buffer, used, fits);
      used += fits;
      at += fits;
      left -= fits;
      flush();
    }
    System.arraycopy(bytes, at, buffer, used, left);
    used += left;
  }

  /// Events end with a line or begin with their length; nothing more is needed.
  @Override
  public void endEvent() {}

  @Override
  public boolean isClosed() {
    return exchange.response().hasLastWrite();
  }

  @Override
  public void flush() throws IOException {
    if (used > 0) {
      exchange.write(ByteBuffer.wrap(buffer, 0, used), false);
      used = 0;
    }
  }

  /// Ends the answer.
  @Override
  public void close() throws IOException {
    exchange.write(ByteBuffer.wrap(buffer, 0, used), true);
    used = 0;
  }
}
