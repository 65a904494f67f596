package dev.berth.registry.transport;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Keeps a body in memory.
public final class MemorySink implements BodySink {
  private final long limit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public MemorySink(long limit) {
    this.limit = limit;
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public void write(ByteBuffer piece) {
    byte[] copy = new byte[piece.remaining()];
    piece.get(copy);
    bytes.writeBytes(copy);
  }

  @Override
  public void restart() {
    bytes.reset();
  }

  public byte[] bytes() {
    return bytes.toByteArray();
  }
}
