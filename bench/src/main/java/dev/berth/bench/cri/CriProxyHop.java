package dev.berth.bench.cri;

import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.VersionRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Measures calls over sockets: with a plain stub, through the registry, and through a proxy
/// process, as a CRI proxy is. Runtime and proxy are processes of their own, because a call between
/// processes has context switches that a call within one does not have.
final class CriProxyHop {
  // A full node. The list of its sandboxes is the largest answer that an agent reads regularly.
  static final int PODS = 100;

  /// Median microseconds of a call by way.
  record Latency(String call, double bare, double registry, double proxy) {}

  List<Latency> run(Path directory, int calls) throws IOException {
    var endpoint = new UnixSocket(directory.resolve("runtime.sock"));
    var proxied = new UnixSocket(directory.resolve("proxy.sock"));
    try (var _ =
            CriChild.start(
                CriRuntimeProcess.class, endpoint.path().toString(), Integer.toString(PODS));
        var _ =
            CriChild.start(CriProxyProcess.class, proxied.toString(), endpoint.path().toString());
        var bare = new BareChannel(endpoint.path());
        var hop = new BareChannel(proxied.path());
        var node = new CriNode(directory.resolve("hop"), endpoint, HealthTimings.STANDARD)) {
      node.await(true);
      RuntimeClient ours = node.registry().runtimeServices().getFirst().runtime();
      var stub = RuntimeServiceGrpc.newBlockingStub(bare.channel());
      var throughProxy = RuntimeServiceGrpc.newBlockingStub(hop.channel());
      var version = VersionRequest.getDefaultInstance();
      var list = ListPodSandboxRequest.getDefaultInstance();
      return List.of(
          measure(
              "Version",
              calls,
              () -> stub.version(version),
              ours::version,
              () -> throughProxy.version(version)),
          measure(
              "ListPodSandbox, %d pods".formatted(PODS),
              calls,
              () -> stub.listPodSandbox(list),
              () -> ours.listPodSandboxes(PodSandboxFilter.getDefaultInstance()),
              () -> throughProxy.listPodSandbox(list)));
    }
  }

  /// Alternates the ways call by call, so that other work of the machine affects all of them.
  private static Latency measure(String call, int calls, Runnable... ways) {
    // Every call is kept, so that the median is exact.
    double[][] micros = new double[ways.length][calls];
    // Negative rounds are the warm-up.
    for (int i = -calls / 2; i < calls; i++) {
      for (int way = 0; way < ways.length; way++) {
        long start = System.nanoTime();
        ways[way].run();
        if (i >= 0) {
          micros[way][i] = (System.nanoTime() - start) / 1e3;
        }
      }
    }
    return new Latency(
        call,
        CriCallCost.median(micros[0]),
        CriCallCost.median(micros[1]),
        CriCallCost.median(micros[2]));
  }
}
