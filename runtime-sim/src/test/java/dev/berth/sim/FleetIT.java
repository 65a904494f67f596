package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.sim.profile.Profile;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A thousand services with a hundred pods each, in a JVM that has no more than other tests.
final class FleetIT {
  private static final int SERVICES = 1_000;
  private static final int PODS = 100;
  private static final long LIMIT = 2L * 1024 * 1024 * 1024;

  @Test
  void aThousandServicesWithAHundredPodsEachFitIn2Gib() {
    long before = used();
    try (CriTransport transport = new CriTransport();
        SimWorld world = new SimWorld(Clock.systemUTC(), new Random(1))) {
      CriChannels channels =
          new CriChannels(
              transport,
              CriDeadlines.KUBELET,
              new CriMetrics(new PrometheusRegistry()),
              OpenTelemetry.noop());
      List<Simulator> fleet = new ArrayList<>();
      List<CriConnection> connections = new ArrayList<>();
      for (int i = 0; i < SERVICES; i++) {
        CriEndpoint endpoint = new CriEndpoint.InProcess("fleet-" + i);
        fleet.add(
            Simulator.start(
                SimConfig.of("fleet-" + i, endpoint, Profile.named("linux/amd64").orElseThrow()),
                world));
        connections.add(channels.open("fleet-" + i, endpoint));
        fill(connections.getLast());
      }
      long perPod = (used() - before) / (SERVICES * PODS);
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();
      System.out.println("bytes per pod: " + perPod + ", platform threads: " + threads);

      assertThat(used()).isLessThan(LIMIT);
      assertThat(threads).isLessThan(100);
      assertThat(
              connections.getLast().runtime().listContainers(ContainerFilter.getDefaultInstance()))
          .hasSize(PODS);
      connections.forEach(CriConnection::close);
      fleet.forEach(Simulator::close);
    }
  }

  /// Pods as an agent makes them: labels and annotations of Kubernetes, variables, mounts.
  private static void fill(CriConnection connection) {
    RuntimeClient runtime = connection.runtime();
    connection
        .images()
        .pullImage(
            ImageSpec.newBuilder().setImage(TestService.IMAGE).build(),
            AuthConfig.getDefaultInstance(),
            PodSandboxConfig.getDefaultInstance());
    IntStream.range(0, PODS).forEach(number -> start(runtime, number));
  }

  private static void start(RuntimeClient runtime, int number) {
    PodSandboxConfig.Builder pod = TestService.pod("pod-" + number).toBuilder();
    ContainerConfig.Builder container =
        TestService.container("main", number % 2 == 0 ? "nginx" : "sleep", "100000").toBuilder();
    for (int i = 0; i < 8; i++) {
      pod.putLabels("example.com/label-" + i, "value-" + number);
      pod.putAnnotations("example.com/annotation-" + i, "a longer text of pod " + number);
      container.putLabels("io.kubernetes.label-" + i, "value-" + number);
      container
          .addEnvsBuilder()
          .setKey("VARIABLE_" + i)
          .setValue(com.google.protobuf.ByteString.copyFromUtf8("value " + number));
      container
          .addMountsBuilder()
          .setContainerPath("/mounts/" + i)
          .setHostPath("/var/lib/pods/" + number + "/" + i);
    }
    String sandbox = runtime.runPodSandbox(pod.build(), "");
    runtime.startContainer(runtime.createContainer(sandbox, container.build(), pod.build()));
  }

  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed();
  }
}
