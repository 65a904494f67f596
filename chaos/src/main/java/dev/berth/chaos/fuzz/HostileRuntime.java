package dev.berth.chaos.fuzz;

import dev.berth.bench.cri.BareChannel;
import dev.berth.bench.cri.RawBytes;
import dev.berth.chaos.history.RunLog;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A runtime service in front of another one. It forwards calls as bytes and changes answers on
/// demand. The service behind it stays right, so that the agent can recover when the fault ends.
public final class HostileRuntime implements AutoCloseable {
  private final BareChannel target;
  private final CriTransport transport = new CriTransport();
  private final CriServer server;
  private final RunLog log;

  /// The change of answers; null while they are forwarded unchanged.
  private volatile @Nullable AnswerMutation mutation;

  private HostileRuntime(Path socket, Path targetSocket, RunLog log) {
    this.log = log;
    this.target = new BareChannel(targetSocket);
    this.server =
        CriServer.start(
            transport,
            new UnixSocket(socket),
            List.of(
                relay(RuntimeServiceGrpc.getServiceDescriptor()),
                relay(ImageServiceGrpc.getServiceDescriptor())));
  }

  /// Starts the service, which listens when the method returns.
  ///
  /// @param targetSocket the socket of the real service
  public static HostileRuntime start(Path socket, Path targetSocket, RunLog log) {
    return new HostileRuntime(socket, targetSocket, log);
  }

  public void attack(RandomGenerator random) {
    mutation = new AnswerMutation(random.nextLong());
  }

  public void relent() {
    AnswerMutation was = mutation;
    mutation = null;
    if (was != null) {
      log.count("CRI answers changed", was.changed());
    }
  }

  private ServerServiceDefinition relay(ServiceDescriptor service) {
    var builder = ServerServiceDefinition.builder(service.getName());
    service
        .getMethods()
        .forEach(
            method -> {
              MethodDescriptor<byte[], byte[]> raw =
                  MethodDescriptor.<byte[], byte[]>newBuilder(new RawBytes(), new RawBytes())
                      .setType(method.getType())
                      .setFullMethodName(method.getFullMethodName())
                      .build();
              builder.addMethod(raw, handler(raw));
            });
    return builder.build();
  }

  /// A handler that passes bytes on, so that the mutation decides what the agent has to parse.
  private ServerCallHandler<byte[], byte[]> handler(MethodDescriptor<byte[], byte[]> method) {
    if (method.getType() == MethodType.UNARY) {
      return ServerCalls.asyncUnaryCall(
          (request, replies) ->
              ClientCalls.asyncUnaryCall(
                  call(method), request, new MutatedReplies(replies, () -> mutation)));
    }
    return ServerCalls.asyncServerStreamingCall(
        (request, replies) ->
            ClientCalls.asyncServerStreamingCall(
                call(method), request, new MutatedReplies(replies, () -> mutation)));
  }

  private ClientCall<byte[], byte[]> call(MethodDescriptor<byte[], byte[]> method) {
    return target.channel().newCall(method, CallOptions.DEFAULT);
  }

  @Override
  public void close() {
    server.close();
    target.close();
    transport.close();
  }
}
