package dev.berth.bench.cri;

import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.nio.file.Path;
import java.util.List;

/// A minimal CRI proxy in a process of its own: `CriProxyProcess ENDPOINT TARGET-SOCKET`. It copies
/// bytes and parses nothing, so that every real proxy costs more.
public final class CriProxyProcess {
  private static final String SERVICE = "runtime.v1.RuntimeService";

  private CriProxyProcess() {}

  public static void main(String[] args) {
    // One channel for all calls, as a proxy would keep it; both ends are gRPC over unix sockets.
    Channel target = new BareChannel(Path.of(args[1])).channel();
    ServerServiceDefinition relay =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(method("Version"), relay(target, method("Version")))
            .addMethod(method("ListPodSandbox"), relay(target, method("ListPodSandbox")))
            .build();
    CriServer.start(new CriTransport(), CriEndpoint.parse(args[0]), List.of(relay));
    CriChild.serveUntilParentEnds();
  }

  private static io.grpc.ServerCallHandler<byte[], byte[]> relay(
      Channel target, MethodDescriptor<byte[], byte[]> method) {
    return ServerCalls.asyncUnaryCall(
        (request, replies) ->
            ClientCalls.asyncUnaryCall(
                target.newCall(method, CallOptions.DEFAULT), request, replies));
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(new RawBytes(), new RawBytes())
        .setType(MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .build();
  }
}
