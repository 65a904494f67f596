package dev.berth.bench;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The least that a pod costs: its calls to the runtime, one after the other, and nothing else.
final class CriFloor implements AutoCloseable {
  private final CriTransport transport = new CriTransport();
  private final CriConnection connection;
  private final RuntimeClient runtime;
  private final Path logs;

  CriFloor(Path socket, Path logs) {
    var metrics = new CriMetrics(new PrometheusRegistry());
    connection =
        new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop())
            .open("floor", new UnixSocket(socket));
    runtime = connection.runtime();
    this.logs = logs;
  }

  /// Milliseconds of one pod's start.
  double startOne(String name, List<String> sandboxes) {
    long start = System.nanoTime();
    PodSandboxConfig config = sandbox(name);
    String sandbox = runtime.runPodSandbox(config, "");
    String container = runtime.createContainer(sandbox, container(), config);
    runtime.startContainer(container);
    double millis = (System.nanoTime() - start) / 1e6;
    synchronized (this) {
      sandboxes.add(sandbox);
    }
    return millis;
  }

  /// Milliseconds until all of them run.
  double startMany(int pods, List<String> sandboxes) {
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < pods; i++) {
        String name = "many-" + i;
        threads.execute(() -> startOne(name, sandboxes));
      }
    }
    return (System.nanoTime() - start) / 1e6;
  }

  /// Milliseconds of stopping and removing one.
  double stopOne(String sandbox) {
    long start = System.nanoTime();
    runtime.stopPodSandbox(sandbox);
    double millis = (System.nanoTime() - start) / 1e6;
    runtime.removePodSandbox(sandbox);
    return millis;
  }

  void removeAll(List<String> sandboxes) {
    new ArrayList<>(sandboxes).forEach(this::stopOne);
    sandboxes.clear();
  }

  private PodSandboxConfig sandbox(String name) {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setName(name)
                .setNamespace("floor")
                .setUid(name + "-" + System.nanoTime()))
        .setHostname(name)
        .setLogDirectory(logs.toString())
        .setLinux(LinuxPodSandboxConfig.getDefaultInstance())
        .build();
  }

  private static ContainerConfig container() {
    return ContainerConfig.newBuilder()
        .setMetadata(ContainerMetadata.newBuilder().setName("c"))
        .setImage(ImageSpec.newBuilder().setImage(NodeBench.IMAGE))
        .setLogPath("c-" + System.nanoTime() + ".log")
        .build();
  }

  @Override
  public void close() {
    connection.close();
    transport.close();
  }
}
