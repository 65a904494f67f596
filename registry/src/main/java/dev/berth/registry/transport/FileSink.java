package dev.berth.registry.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// Computes the digest of a body as it comes, and writes it to a file.
public final class FileSink implements BodySink {
  private final @Nullable FileChannel file;
  private final long limit;
  private final MessageDigest hash = ContentDigest.sha256();
  private long size;

  /// @param file null when only size and digest matter
  public FileSink(@Nullable FileChannel file, long limit) {
    this.file = file;
    this.limit = limit;
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    hash.update(bytes.duplicate());
    size += bytes.remaining();
    while (file != null && bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  @Override
  public void restart() throws IOException {
    hash.reset();
    size = 0;
    if (file != null) {
      file.truncate(0);
    }
  }

  public long size() {
    return size;
  }

  /// To be called once.
  public String digest() {
    return ContentDigest.text(hash.digest());
  }
}
