package dev.berth.cri;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.locks.ReentrantLock;

/// Sends the headers of a stream as soon as the service has accepted it, rather than with the first
/// message.
///
/// gRPC sends headers with the first message. Without this class a reader of events could not
/// distinguish "nothing happens" from "not listening yet".
///
/// The lock also keeps the headers before the first message: gRPC fails when a message is sent
/// first.
final class StreamOpening implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (call.getMethodDescriptor().getType().serverSendsOneMessage()) {
      return next.startCall(call, headers);
    }
    var stream = new Stream<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(stream, headers)) {
      @Override
      public void onHalfClose() {
        super.onHalfClose();
        stream.open();
      }
    };
  }

  /// Serializes the calls to gRPC, which is not safe for several threads: the first event may come
  /// from another thread before the service method returns.
  private static final class Stream<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final ReentrantLock lock = new ReentrantLock();

    /// Guarded by the lock.
    private boolean begun;

    private Stream(ServerCall<Q, R> call) {
      super(call);
    }

    void open() {
      sendHeaders(new Metadata());
    }

    @Override
    public void sendHeaders(Metadata headers) {
      lock.lock();
      try {
        if (!begun) {
          begun = true;
          super.sendHeaders(headers);
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void sendMessage(R message) {
      lock.lock();
      try {
        super.sendMessage(message);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      lock.lock();
      try {
        begun = true;
        super.close(status, trailers);
      } finally {
        lock.unlock();
      }
    }
  }
}
