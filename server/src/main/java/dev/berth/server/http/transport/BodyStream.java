package dev.berth.server.http.transport;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus.Details;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/// The body of a request, with a deadline for receiving it as a whole.
///
/// The deadline covers the whole body and not each read: a client that sends one byte per second
/// would otherwise hold its request for ever. While the reader waits, the bytes read so far count
/// against the connection in `WriteBacklog`, which may end the wait. One thread uses an instance.
final class BodyStream extends InputStream {
  private final Content.Source source;
  private final long deadline;
  private final WriteBacklog.Share share;
  private Content.@Nullable Chunk chunk;
  private long kept;
  private boolean isPassedOn;
  private boolean late;

  BodyStream(Content.Source source, Duration limit, WriteBacklog.Share share) {
    this.source = source;
    this.share = share;
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
    kept += isPassedOn ? 0 : taken;
    return taken;
  }

  /// The reader passes the bytes on, so they do not count as held memory.
  BodyStream passingOn() {
    isPassedOn = true;
    return this;
  }

  /// Whether it is already known that there is no body.
  boolean isEnded() throws IOException {
    if (chunk == null) {
      chunk = source.read();
    }
    if (Content.Chunk.isFailure(chunk)) {
      throw failure(chunk.getFailure());
    }
    return chunk != null && chunk.isLast() && !chunk.hasRemaining();
  }

  /// Discards bytes, up to a limit.
  void drop(int limit) throws IOException {
    int dropped = 0;
    while (dropped < limit) {
      ByteBuffer bytes = nextChunk().getByteBuffer();
      if (!bytes.hasRemaining()) {
        return;
      }
      dropped += bytes.remaining();
      bytes.position(bytes.limit());
    }
  }

  /// Returns the next non-empty chunk, or the last one.
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
    CompletableFuture<Void> available = new CompletableFuture<>();
    // Jetty may run the callback in this call, when content arrived since the last read.
    source.demand(() -> available.complete(null));
    if (!available.isDone()) {
      share.add(available, kept);
    }
    try {
      available.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      throw late();
    } catch (ExecutionException _) {
      // The backlog cut this wait off.
      late = true;
      throw ApiException.tooManyRequests(
          "Too many requests are sent slowly, please try again later.", 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    } finally {
      // A cancelled future leaves the backlog.
      available.cancel(false);
    }
  }

  private IOException failure(Throwable cause) {
    if (cause instanceof TimeoutException) {
      throw late();
    }
    if (cause instanceof HttpException bad) {
      // After an incomplete body the start of the next request is unknown.
      late = true;
      throw ApiException.badRequest(
          "the body of the request is not valid HTTP: " + bad.getReason());
    }
    return new IOException("the body did not come in whole", cause);
  }

  private ApiException late() {
    late = true;
    return ApiException.timeout(
        "request did not complete within the allotted timeout", Details.EMPTY);
  }

  /// The body did not arrive in time: the connection cannot be reused.
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
