package dev.berth.bench.node;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.PodSandboxConfig;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Measures the minimum cost of a pod: the calls that the agent makes for it, in sequence, and
/// nothing else. What Berth takes beyond it is Berth's own.
///
/// It starts as many pods at once as a burst has, without the agent's limit of starts: the runtime
/// alone at its best, whatever order it chooses.
final class CriFloor implements AutoCloseable {
  private final CriTransport transport = new CriTransport();
  private final CriConnection connection;
  private final RuntimeClient runtime;
  private final PodRequests requests;

  /// @param pod a running pod of Berth whose requests to the runtime are repeated
  CriFloor(Path socket, String pod) {
    var metrics = new CriMetrics(new PrometheusRegistry());
    connection =
        // Berth's own client, not the bare channel: the difference of both ways is then the agent
        // alone.
        new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop())
            .open("floor", new UnixSocket(socket));
    runtime = connection.runtime();
    requests = PodRequests.of(runtime, pod);
  }

  /// Starts a pod and returns the time in milliseconds.
  double startOne(String name, List<String> sandboxes) {
    long start = System.nanoTime();
    // Inside of the measured time, as the agent builds its requests too; it takes microseconds.
    PodSandboxConfig config = requests.sandbox(name);
    String sandbox = runtime.runPodSandbox(config, "");
    String container = runtime.createContainer(sandbox, requests.container(), config);
    runtime.startContainer(container);
    double millis = (System.nanoTime() - start) / 1e6;
    // The pods of a burst start on many threads; the caller reads the list when all have ended.
    synchronized (this) {
      sandboxes.add(sandbox);
    }
    return millis;
  }

  /// Starts pods at once, each on a thread of its own, as the agent does.
  BurstTimes startMany(int pods, List<String> sandboxes) {
    double[] millis = new double[pods];
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < pods; i++) {
        int number = i;
        threads.execute(
            () -> {
              startOne("many-" + number, sandboxes);
              millis[number] = (System.nanoTime() - start) / 1e6;
            });
      }
    }
    return BurstTimes.of(millis);
  }

  /// Stops and removes a pod and returns the time in milliseconds.
  double stopOne(String sandbox) {
    long start = System.nanoTime();
    runtime.stopPodSandbox(sandbox);
    double millis = (System.nanoTime() - start) / 1e6;
    // After the clock has stopped: the agent removes sandboxes later as well.
    runtime.removePodSandbox(sandbox);
    return millis;
  }

  void removeAll(List<String> sandboxes) throws IOException {
    // A copy, because the list is cleared below and filled by other threads in a burst.
    new ArrayList<>(sandboxes).forEach(this::stopOne);
    sandboxes.clear();
    requests.removeGroups();
  }

  @Override
  public void close() throws IOException {
    requests.removeGroups();
    connection.close();
    transport.close();
  }
}
