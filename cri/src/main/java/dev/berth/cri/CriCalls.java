package dev.berth.cri;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes the calls of all clients of one connection. Version negotiation, conventions, metrics and
/// traces are in this class only.
///
/// Calls block the calling thread, which should be virtual. An interrupt cancels the call at the
/// server.
///
/// Nothing is repeated here except an unimplemented call under its older name: whether a failed
/// call may be repeated, only its caller knows.
final class CriCalls {
  private final Channel channel;
  private final VersionNegotiation negotiation;
  private final CallObserver observer;

  CriCalls(Channel channel, VersionNegotiation negotiation, CallObserver observer) {
    this.channel = channel;
    this.negotiation = negotiation;
    this.observer = observer;
  }

  <Q, R> R unary(CriOperation<Q, R> operation, Q request, CallOptions options) {
    CallObserver.Call call = observer.begin(operation, request);
    try {
      R reply = complete(operation, sendUnary(call.over(channel), operation, request, options));
      call.succeeded();
      return reply;
    } catch (StatusRuntimeException e) {
      // The metrics count what the service answered, as the kubelet's do, so they see the failure
      // before the conventions turn it into a success.
      CriException failure = call.failed(e);
      R absent = operation.absent();
      if (absent != null && failure.code() == Status.Code.NOT_FOUND) {
        return absent;
      }
      throw failure;
    }
  }

  /// Lists with the streaming call if the service has it, else with the older call that returns one
  /// message.
  <P, Q, S, R, T> List<T> list(
      Listing<P, S, T> parts,
      P partsRequest,
      Listing<Q, R, T> whole,
      Q request,
      CallOptions options) {
    CallObserver.Call call = observer.begin(whole.operation, request);
    try {
      // A list in one message fails when it exceeds the message limit, which hundreds of containers
      // can reach; the streaming call of Kubernetes 1.36 has no such limit.
      List<T> items = inParts(call.over(channel), parts, partsRequest, options);
      if (items == null) {
        items = whole.items.apply(sendUnary(call.over(channel), whole.operation, request, options));
      }
      call.succeeded();
      return items;
    } catch (StatusRuntimeException e) {
      throw call.failed(e);
    }
  }

  /// Delivers the messages of a server's stream until it ends; returns false when the service has
  /// no such stream.
  <Q, R> boolean follow(CriOperation<Q, R> operation, Q request, EventReceiver<R> events) {
    CallObserver.Call call = observer.beginStream(operation);
    try {
      ServerStream.run(channel.newCall(operation.v1(), CallOptions.DEFAULT), request, events);
      call.succeeded();
      return true;
    } catch (StatusRuntimeException e) {
      // A service without this stream is not broken, so the metrics count no error.
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        call.succeeded();
        return false;
      }
      throw call.failed(e);
    }
  }

  private <Q, R> R sendUnary(
      Channel over, CriOperation<Q, R> operation, Q request, CallOptions options) {
    MethodDescriptor<Q, R> old = operation.v1alpha2();
    if (old == null) {
      return ClientCalls.blockingUnaryCall(over, operation.v1(), options, request);
    }
    if (negotiation.usesV1alpha2()) {
      return ClientCalls.blockingUnaryCall(over, old, options, request);
    }
    boolean decided = negotiation.isDecided();
    try {
      R reply = ClientCalls.blockingUnaryCall(over, operation.v1(), options, request);
      if (!decided) {
        negotiation.decide(false);
      }
      return reply;
    } catch (StatusRuntimeException e) {
      if (decided || e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
        throw e;
      }
      return sendAsV1alpha2(over, old, request, options, e);
    }
  }

  /// Repeats an unimplemented call under its v1alpha2 name. That is safe: UNIMPLEMENTED means that
  /// the server did nothing.
  private <Q, R> R sendAsV1alpha2(
      Channel over,
      MethodDescriptor<Q, R> old,
      Q request,
      CallOptions options,
      StatusRuntimeException inV1) {
    try {
      R reply = ClientCalls.blockingUnaryCall(over, old, options, request);
      negotiation.decide(true);
      return reply;
    } catch (StatusRuntimeException e) {
      throw e.getStatus().getCode() == Status.Code.UNIMPLEMENTED ? inV1 : e;
    }
  }

  private <P, S, T> @Nullable List<T> inParts(
      Channel over, Listing<P, S, T> parts, P request, CallOptions options) {
    if (negotiation.usesV1alpha2() || !negotiation.isServed(parts.operation)) {
      return null;
    }
    var items = new ArrayList<T>();
    try {
      ServerStream.run(
          over.newCall(parts.operation.v1(), options),
          request,
          part -> items.addAll(parts.items.apply(part)));
      return items;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
        throw e;
      }
      negotiation.unserved(parts.operation);
      return null;
    }
  }

  private static <R> R complete(CriOperation<?, R> operation, R reply) {
    String missing = operation.missing(reply);
    if (!missing.isEmpty()) {
      throw Status.INTERNAL
          .withDescription("the reply is incomplete, it lacks " + missing)
          .asRuntimeException();
    }
    return reply;
  }

  /// A list call, and the function that extracts the items of its reply.
  record Listing<Q, R, T>(CriOperation<Q, R> operation, Function<R, List<T>> items) {}
}
