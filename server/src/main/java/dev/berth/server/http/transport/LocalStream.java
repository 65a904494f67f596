package dev.berth.server.http.transport;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Jetty's stream of an in-process request.
///
/// The body is complete from the start, so a read never waits. `read` and `demand` follow Jetty's
/// contract: a demand is answered at once.
final class LocalStream implements HttpStream {
  private final HttpChannel channel;
  private final byte[] body;
  private final LocalAnswer answer = new LocalAnswer(this::hangUp);
  private boolean bodyTaken;

  /// Volatile: the handler and Jetty's callbacks may run on different threads.
  private volatile boolean committed;

  LocalStream(HttpChannel channel, byte[] body) {
    this.channel = channel;
    this.body = body;
  }

  LocalAnswer answer() {
    return answer;
  }

  private void hangUp() {
    run(channel.onFailure(new EofException("the caller hung up")));
  }

  private static void run(@Nullable Runnable task) {
    if (task != null) {
      task.run();
    }
  }

  @Override
  public String getId() {
    return "local";
  }

  @Override
  public Content.Chunk read() {
    if (bodyTaken || body.length == 0) {
      return Content.Chunk.EOF;
    }
    bodyTaken = true;
    return Content.Chunk.from(ByteBuffer.wrap(body), true);
  }

  @Override
  public void demand() {
    run(channel.onContentAvailable());
  }

  @Override
  public void prepareResponse(HttpFields.Mutable headers) {
    // There is no connection that needs headers of its own.
  }

  @Override
  public void send(
      MetaData.Request request,
      MetaData.@Nullable Response response,
      boolean last,
      @Nullable ByteBuffer content,
      Callback callback) {
    if (response != null) {
      committed = true;
      answer.begin(response.getStatus());
    }
    answer.write(content, last, callback);
  }

  @Override
  public Runnable cancelSend(Throwable cause, Callback appCallback) {
    Callback waiting = answer.takeWaiting();
    return () -> {
      if (waiting != null) {
        waiting.failed(cause);
      }
      appCallback.failed(cause);
    };
  }

  @Override
  public long getIdleTimeout() {
    return 0;
  }

  @Override
  public void setIdleTimeout(long millis) {
    // Client and server are in the same process, so there is no idle timeout.
  }

  @Override
  public boolean isCommitted() {
    return committed;
  }

  @Override
  public @Nullable Throwable consumeAvailable() {
    bodyTaken = true;
    return null;
  }

  @Override
  public void succeeded() {
    answer.end(null);
  }

  @Override
  public void failed(Throwable why) {
    answer.end(why);
  }
}
