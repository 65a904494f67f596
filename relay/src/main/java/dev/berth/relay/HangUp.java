package dev.berth.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Interrupts the thread of a long answer when its client closes the connection. A watch without
/// changes or the log of a quiet container is healthy and writes nothing, so it would not notice.
///
/// On HTTP/2 the stream reports the end. On HTTP/1.1 somebody has to read from the connection, so
/// such an answer is the last one of its connection.
public final class HangUp implements Callback, AutoCloseable {
  /// Upstream's idle timeout of streams.
  public static final Duration READING = Duration.ofHours(4);

  private final Thread thread;

  /// The end point to read from; null where the stream itself reports the end.
  private final @Nullable EndPoint endPoint;

  private final ByteBuffer scrap = BufferUtil.allocate(256);

  private HangUp(Thread thread, @Nullable EndPoint endPoint) {
    this.thread = thread;
    this.endPoint = endPoint;
  }

  /// Starts to listen. The answering thread calls this before the answer starts.
  public static HangUp listen(Request request, Response response) {
    Thread thread = Thread.currentThread();
    request.addFailureListener(_ -> thread.interrupt());
    mayBeSilent(request);
    if (!isHttp1(request) || request.getLength() > 0 || isChunked(request)) {
      return new HangUp(thread, null);
    }
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    HangUp hangUp = new HangUp(thread, endPoint);
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    endPoint.tryFillInterested(hangUp);
    return hangUp;
  }

  /// Exempts a request from the idle timeout while it waits for its answer, and while the client
  /// takes its time to read it.
  public static void mayBeSilent(Request request) {
    request.addIdleTimeoutListener(_ -> false);
    // Jetty does not ask this listener when a write waits for the client: the write fails instead.
    request.addHttpStreamWrapper(
        stream -> {
          stream.setIdleTimeout(READING.toMillis());
          return stream;
        });
  }

  private static boolean isHttp1(Request request) {
    return request.getConnectionMetaData().getHttpVersion().getVersion()
        <= HttpVersion.HTTP_1_1.getVersion();
  }

  private static boolean isChunked(Request request) {
    return request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
  }

  @Override
  public void succeeded() {
    if (endPoint == null) {
      return;
    }
    try {
      int filled;
      do {
        BufferUtil.clear(scrap);
        filled = endPoint.fill(scrap);
      } while (filled > 0);
      if (filled == 0) {
        endPoint.tryFillInterested(this);
        return;
      }
    } catch (IOException _) {
      // A failed read ends the connection, too.
    }
    failed(new IOException("the client hung up"));
  }

  @Override
  public void failed(Throwable why) {
    thread.interrupt();
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  /// Closes the end point: a pending read cannot be cancelled.
  @Override
  public void close() {
    if (endPoint != null) {
      endPoint.close();
    }
  }
}
