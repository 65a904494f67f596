package dev.berth.registry.transport;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Reads a body into a sink, one piece after the other, and ends the connection as soon as it is
/// too large.
final class BoundedBody implements BodySubscriber<Boolean> {
  /// The body is larger than its sink allows.
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /// The sink failed, which is no fault of the registry.
  static final class SinkException extends IOException {
    private static final long serialVersionUID = 1;

    SinkException(IOException cause) {
      super(cause);
    }
  }

  private static final int BEGINNING = 64 * 1024;

  private final BodySink sink;
  private final long announced;
  private final boolean isCut;
  private final AtomicLong progress;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();
  private long received;
  private @Nullable Subscription subscription;

  private BoundedBody(BodySink sink, long announced, boolean isCut, AtomicLong progress) {
    this.sink = sink;
    this.announced = announced;
    this.isCut = isCut;
    this.progress = progress;
  }

  /// Fails when the body is too large.
  ///
  /// @param announced the size that the answer names, or -1
  /// @param progress is increased with every piece, so that others see a stall
  static BoundedBody whole(BodySink sink, long announced, AtomicLong progress) {
    return new BoundedBody(sink, announced, false, progress);
  }

  /// Reads no more than the beginning, of an answer that is a failure anyway.
  static BoundedBody beginning(AtomicLong progress) {
    return new BoundedBody(new MemorySink(BEGINNING), -1, true, progress);
  }

  @Override
  public CompletionStage<Boolean> getBody() {
    return done;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    if (announced > sink.limit()) {
      end(new TooLargeException());
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    if (done.isDone()) {
      return;
    }
    for (ByteBuffer piece : pieces) {
      received += piece.remaining();
      if (received > sink.limit()) {
        end(new TooLargeException());
        return;
      }
      try {
        sink.write(piece);
      } catch (IOException e) {
        end(new SinkException(e));
        return;
      }
    }
    progress.addAndGet(1);
    if (subscription != null) {
      subscription.request(1);
    }
  }

  private void end(IOException reason) {
    if (subscription != null) {
      subscription.cancel();
    }
    if (isCut) {
      done.complete(true);
    } else {
      done.completeExceptionally(reason);
    }
  }

  @Override
  public void onError(Throwable cause) {
    done.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    done.complete(true);
  }
}
