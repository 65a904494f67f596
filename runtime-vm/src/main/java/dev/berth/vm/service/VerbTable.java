package dev.berth.vm.service;

import com.google.protobuf.Message;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.GrpcAnswers;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// A gRPC service as a table of its methods.
final class VerbTable {
  private final ServerServiceDefinition.Builder definition;

  VerbTable(String service) {
    this.definition = ServerServiceDefinition.builder(service);
  }

  ServerServiceDefinition build() {
    return definition.build();
  }

  /// A method with one answer.
  <Q, R> VerbTable one(MethodDescriptor<Q, R> method, Function<Q, R> verb) {
    definition.addMethod(
        method,
        ServerCalls.asyncUnaryCall(
            (request, answer) ->
                GrpcAnswers.one(answer, () -> CallFailures.refusing(() -> verb.apply(request)))));
    return this;
  }

  /// A list in several messages: in one, that of many pods would exceed what clients accept.
  <Q, T, R extends Message> VerbTable list(
      MethodDescriptor<Q, R> method, Function<Q, List<T>> verb, Function<List<T>, R> message) {
    return stream(
        method,
        (request, answer) -> {
          List<T> items;
          try {
            items = CallFailures.refusing(() -> verb.apply(request));
          } catch (CallRefusal e) {
            answer.onError(e.status().asRuntimeException());
            return;
          }
          GrpcAnswers.chunks(answer, items, message);
        });
  }

  <Q, R> VerbTable stream(MethodDescriptor<Q, R> method, BiConsumer<Q, StreamObserver<R>> verb) {
    definition.addMethod(method, ServerCalls.asyncServerStreamingCall(verb::accept));
    return this;
  }
}
