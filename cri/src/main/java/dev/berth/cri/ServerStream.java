package dev.berth.cri;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Reads a server's stream on the caller's thread, at most one message ahead, so that a slow reader
/// slows the server.
///
/// gRPC calls the listener on its own threads; the queue hands the signals over to the reader. It
/// holds at most one message, because the next one is requested after the last was accepted.
final class ServerStream<R> extends ClientCall.Listener<R> {
  private final BlockingQueue<Signal<R>> signals = new LinkedBlockingQueue<>();

  private ServerStream() {}

  /// Returns when the server ends the stream without an error. An exception cancels the call.
  static <Q, R> void run(ClientCall<Q, R> call, Q request, EventReceiver<? super R> events) {
    var stream = new ServerStream<R>();
    try {
      call.start(stream, new Metadata());
      call.request(1);
      call.sendMessage(request);
      call.halfClose();
      stream.read(call, events);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED
          .withDescription("Thread interrupted")
          .withCause(e)
          .asRuntimeException();
    } finally {
      // After a regular end the call is complete and cancelling it does nothing.
      call.cancel("the reader stopped", null);
    }
  }

  private void read(ClientCall<?, R> call, EventReceiver<? super R> events)
      throws InterruptedException {
    while (true) {
      switch (signals.take()) {
        case StreamOpened<R> _ -> events.opened();
        case StreamMessage<R>(var content) -> {
          events.accept(content);
          call.request(1);
        }
        case Closed<R>(var status) -> {
          if (status.isOk()) {
            return;
          }
          throw status.asRuntimeException();
        }
      }
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    signals.add(new StreamOpened<>());
  }

  @Override
  public void onMessage(R message) {
    signals.add(new StreamMessage<>(message));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    signals.add(new Closed<>(status));
  }

  private sealed interface Signal<R> {}

  private record StreamOpened<R>() implements Signal<R> {}

  private record StreamMessage<R>(R content) implements Signal<R> {}

  private record Closed<R>(Status status) implements Signal<R> {}
}
