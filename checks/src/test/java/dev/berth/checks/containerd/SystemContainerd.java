package dev.berth.checks.containerd;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetadata;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// A containerd that is where a system's one would be, for those who run in its mount namespace; a
/// kubelet uses it, too.
final class SystemContainerd implements AutoCloseable {
  private static final String FIND_ME =
      "mount -t tmpfs none /run && mkdir /run/containerd && ln -s \"$0\" /run/containerd/containerd.sock";

  private final ContainerdProcess process;
  private final String foreign;

  private SystemContainerd(ContainerdProcess process) throws IOException {
    this.process = process;
    Commands.run(inside(List.of("sh", "-c", FIND_ME, process.socket().toString())));
    this.foreign = call(SystemContainerd::runSandboxOfAKubelet);
  }

  static SystemContainerd start(Path directory) throws IOException {
    return new SystemContainerd(ContainerdProcess.start(directory, LowLevelRuntime.CRUN));
  }

  private static String runSandboxOfAKubelet(RuntimeClient runtime) {
    PodSandboxMetadata about =
        PodSandboxMetadata.newBuilder()
            .setName("theirs")
            .setNamespace("default")
            .setUid("uid-of-theirs")
            .build();
    return runtime.runPodSandbox(
        PodSandboxConfig.newBuilder()
            .setMetadata(about)
            .putLabels("io.kubernetes.pod.name", "theirs")
            .putLabels("io.kubernetes.pod.namespace", "default")
            .putLabels("io.kubernetes.pod.uid", "uid-of-theirs")
            .build(),
        "crun");
  }

  /// That of another kubelet.
  String foreign() {
    return foreign;
  }

  /// All, with their states.
  List<String> sandboxes() {
    return call(
        runtime ->
            runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance()).stream()
                .map(one -> one.getId() + " " + one.getState())
                .toList());
  }

  private <T> T call(Function<RuntimeClient, T> calls) {
    try (CriTransport transport = new CriTransport();
        CriConnection connection =
            new CriChannels(
                    transport,
                    CriDeadlines.KUBELET,
                    new CriMetrics(new PrometheusRegistry()),
                    OpenTelemetry.noop())
                .open("system", new CriEndpoint.UnixSocket(process.socket()))) {
      return calls.apply(connection.runtime());
    }
  }

  /// As a crash would.
  void kill() {
    process.kill();
  }

  void restart() throws IOException {
    process.restart();
  }

  List<String> inside(List<String> command) {
    return process.inside(command);
  }

  @Override
  public void close() {
    process.close();
  }
}
