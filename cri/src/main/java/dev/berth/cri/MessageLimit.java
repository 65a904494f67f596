package dev.berth.cri;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/// Refuses replies over the message limit in an in-process connection, which passes messages
/// without encoding them, so that gRPC does not check their size.
///
/// Tests with simulated fleets would otherwise pass with lists that a real connection refuses.
record MessageLimit(int largest) implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> listener, Metadata headers) {
        super.start(new Limited<>(listener, this), headers);
      }
    };
  }

  private final class Limited<R> extends SimpleForwardingClientCallListener<R> {
    private final ClientCall<?, R> call;
    private int refused;

    private Limited(ClientCall.Listener<R> listener, ClientCall<?, R> call) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onMessage(R message) {
      int size = message instanceof MessageLite known ? known.getSerializedSize() : 0;
      if (size <= largest) {
        super.onMessage(message);
      } else if (refused == 0) {
        refused = size;
        call.cancel("message too large", null);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      super.onClose(
          refused == 0
              ? status
              : Status.RESOURCE_EXHAUSTED.withDescription(
                  "gRPC message exceeds maximum size %d: %d".formatted(largest, refused)),
          trailers);
    }
  }
}
