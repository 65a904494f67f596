package dev.berth.bench.cri;

import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.VersionRequest;
import java.nio.file.Path;
import java.util.List;

/// A runtime in a process of its own: `CriRuntimeProcess SOCKET PODS`. Only a process can be killed
/// as a runtime is.
public final class CriRuntimeProcess {
  private CriRuntimeProcess() {}

  public static void main(String[] args) {
    var runtime = new BenchRuntime(Integer.parseInt(args[1]));
    var transport = new CriTransport();
    Path socket = Path.of(args[0]);
    // Before the real socket exists: the monitor of the registry must not connect to a cold JVM.
    warmUp(transport, runtime, socket.resolveSibling(socket.getFileName() + ".warm"));
    serve(transport, runtime, socket);
    CriChild.serveUntilParentEnds();
  }

  /// Makes the first calls to a new JVM, which take longer than everything that is measured here.
  private static void warmUp(CriTransport transport, BenchRuntime runtime, Path socket) {
    try (var _ = serve(transport, runtime, socket);
        var client = new BareChannel(socket)) {
      var stub = RuntimeServiceGrpc.newBlockingStub(client.channel());
      stub.version(VersionRequest.getDefaultInstance());
      stub.status(StatusRequest.getDefaultInstance());
    }
  }

  private static CriServer serve(CriTransport transport, BenchRuntime runtime, Path socket) {
    CriEndpoint endpoint = new UnixSocket(socket);
    return CriServer.start(transport, endpoint, List.of(runtime.bindService()));
  }
}
