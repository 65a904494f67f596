package dev.berth.server.http;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status.Details;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/// The body of a request, which must have come in whole before a deadline.
final class BodyStream extends InputStream {
  private final Content.Source source;
  private final long deadline;
  private Content.@Nullable Chunk chunk;
  private boolean late;

  BodyStream(Content.Source source, Duration limit) {
    this.source = source;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    Content.Chunk current = nextChunk();
    ByteBuffer bytes = current.getByteBuffer();
    if (!bytes.hasRemaining()) {
      return -1;
    }
    int taken = Math.min(length, bytes.remaining());
    bytes.get(into, at, taken);
    return taken;
  }

  /// Whether it is known already that nothing comes: there is no body.
  boolean isEnded() throws IOException {
    if (chunk == null) {
      chunk = source.read();
    }
    if (Content.Chunk.isFailure(chunk)) {
      throw failure(chunk.getFailure());
    }
    return chunk != null && chunk.isLast() && !chunk.hasRemaining();
  }

  /// One with bytes in it, or the last one.
  private Content.Chunk nextChunk() throws IOException {
    while (chunk == null || (!chunk.hasRemaining() && !chunk.isLast())) {
      close();
      chunk = source.read();
      if (chunk == null) {
        awaitContent();
      } else if (Content.Chunk.isFailure(chunk)) {
        throw failure(chunk.getFailure());
      }
    }
    return chunk;
  }

  private void awaitContent() throws IOException {
    CountDownLatch available = new CountDownLatch(1);
    source.demand(available::countDown);
    try {
      if (!available.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw late();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    }
  }

  private IOException failure(Throwable cause) {
    if (cause instanceof TimeoutException) {
      throw late();
    }
    return new IOException("the body did not come in whole", cause);
  }

  private ApiException late() {
    late = true;
    return ApiException.timeout(
        "request did not complete within the allotted timeout", Details.EMPTY);
  }

  /// It was given up on: the connection is of no more use.
  boolean isLate() {
    return late;
  }

  @Override
  public void close() {
    if (chunk != null) {
      chunk.release();
      chunk = null;
    }
  }
}
