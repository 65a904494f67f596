package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriException;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetadata;
import io.grpc.ConnectivityState;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our CRI client against containerd itself.
class CriClientIT {
  @TempDir private static Path directory;
  private static final CriTransport TRANSPORT = new CriTransport();
  private static @Nullable ContainerdProcess containerd;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    containerd = ContainerdProcess.start(directory.resolve("c"), LowLevelRuntime.RUNC);
  }

  @AfterAll
  static void stop() {
    if (containerd != null) {
      containerd.close();
    }
    TRANSPORT.close();
  }

  @Test
  void aContainerLivesAndEnds() {
    try (CriConnection connection = connect()) {
      RuntimeClient runtime = connection.runtime();
      PodSandboxConfig pod = pod("life");
      String sandbox = runtime.runPodSandbox(pod, "runc");
      String container = runtime.createContainer(sandbox, sleeper(), pod);
      runtime.startContainer(container);

      assertThat(runtime.containerStatus(container, false).getStatus().getState())
          .isEqualTo(ContainerState.CONTAINER_RUNNING);
      assertThat(
              runtime
                  .execSync(container, List.of("/bin/echo", "here"), Duration.ofSeconds(20))
                  .getStdout()
                  .toStringUtf8())
          .isEqualTo("here\n");
      assertThat(runtime.podSandboxStatus(sandbox, false).getStatus().getMetadata())
          .isEqualTo(pod.getMetadata());

      runtime.stopContainer(container, Duration.ZERO);
      runtime.removeContainer(container);
      runtime.stopPodSandbox(sandbox);
      runtime.removePodSandbox(sandbox);
      assertThat(sandboxes(runtime)).doesNotContain(sandbox);
    }
  }

  @Test
  void theEndOfAContainerIsToldAtOnce() throws Exception {
    try (CriConnection connection = connect()) {
      RuntimeClient runtime = connection.runtime();
      BlockingQueue<String> ended = new LinkedBlockingQueue<>();
      Thread follower = Thread.startVirtualThread(() -> runtime.followExits(ended::add));
      // Nobody says when the stream is open, so pods end until one of them is told.
      String sandbox;
      String told;
      do {
        sandbox = runtime.runPodSandbox(pod("exits"), "");
        runtime.stopPodSandbox(sandbox);
        runtime.removePodSandbox(sandbox);
        told = ended.poll(1, TimeUnit.SECONDS);
      } while (told == null);

      assertThat(told).isEqualTo(sandbox);
      follower.interrupt();
    }
  }

  @Test
  void whatIsNotThereIsDoneOrNotFound() {
    try (CriConnection connection = connect()) {
      RuntimeClient runtime = connection.runtime();
      runtime.stopContainer("gone", Duration.ZERO);
      runtime.removeContainer("gone");
      runtime.stopPodSandbox("gone");
      runtime.removePodSandbox("gone");

      assertThatThrownBy(() -> runtime.containerStatus("gone", false))
          .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isNotFound()).isTrue());
    }
  }

  @Test
  void itHasNoEventsAndListsInOnePiece() {
    try (CriConnection connection = connect()) {
      assertThat(connection.runtime().version().getRuntimeName()).isEqualTo("containerd");
      assertThat(connection.apiVersion()).isEqualTo("v1");
      assertThat(connection.runtime().followContainerEvents(_ -> {})).isFalse();
      assertThat(connection.images().listImages(ImageFilter.getDefaultInstance())).isNotEmpty();
      assertThat(connection.runtime().status(true).getInfoMap()).containsKey("config");
    }
  }

  @Test
  void aKillIsSeenAtOnceAndAfterTheRestartEverythingIsThere() throws Exception {
    try (CriConnection connection = connect()) {
      RuntimeClient runtime = connection.runtime();
      String sandbox = runtime.runPodSandbox(pod("kill"), "");
      BlockingQueue<ConnectivityState> seen = new LinkedBlockingQueue<>();
      connection.onStateChange(seen::add);

      process().kill();
      assertThat(seen.take()).isNotEqualTo(ConnectivityState.READY);
      assertThatThrownBy(runtime::version)
          .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isUnavailable()).isTrue());
      process().restart();
      connection.connect();
      while (seen.take() != ConnectivityState.READY) {
        // Tells of failed attempts first.
      }

      assertThat(sandboxes(runtime)).contains(sandbox);
      runtime.stopPodSandbox(sandbox);
      runtime.removePodSandbox(sandbox);
    }
  }

  private static CriConnection connect() {
    var metrics = new CriMetrics(new PrometheusRegistry());
    return new CriChannels(TRANSPORT, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop())
        .open("containerd", new UnixSocket(process().socket()));
  }

  private static ContainerdProcess process() {
    if (containerd == null) {
      throw new IllegalStateException("containerd was not started");
    }
    return containerd;
  }

  private static List<String> sandboxes(RuntimeClient runtime) {
    return runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance()).stream()
        .map(PodSandbox::getId)
        .toList();
  }

  private static PodSandboxConfig pod(String name) {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setName(name)
                .setNamespace("default")
                .setUid("uid-" + name))
        .setLinux(LinuxPodSandboxConfig.getDefaultInstance())
        .build();
  }

  private static ContainerConfig sleeper() {
    return ContainerConfig.newBuilder()
        .setMetadata(ContainerMetadata.newBuilder().setName("sleeper"))
        .setImage(ImageSpec.newBuilder().setImage(TestImages.BUSYBOX))
        .addCommand("/bin/sleep")
        .addArgs("1000")
        .build();
  }
}
