package dev.berth.sim;

import com.google.protobuf.ByteString;
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
import dev.berth.sim.profile.SimProfile;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Fills many services with pods and says what that took; a process of its own, to be measured.
final class Fleet {
  private Fleet() {}

  /// Takes two numbers: services, and pods of each.
  public static void main(String[] args) throws IOException {
    int services = Integer.parseInt(args[0]);
    int pods = Integer.parseInt(args[1]);
    try (CriTransport transport = new CriTransport();
        SimContext world = new SimContext(Clock.systemUTC(), new Random(1))) {
      CriChannels channels =
          new CriChannels(
              transport,
              CriDeadlines.KUBELET,
              new CriMetrics(new PrometheusRegistry()),
              OpenTelemetry.noop());
      List<Simulator> fleet = new ArrayList<>();
      List<CriConnection> connections = new ArrayList<>();
      for (int i = 0; i < services; i++) {
        CriEndpoint endpoint = new CriEndpoint.InProcess("fleet-" + i);
        SimProfile profile = SimProfile.named("linux/amd64").orElseThrow();
        fleet.add(Simulator.start(SimConfig.of("fleet-" + i, endpoint, profile), world));
        connections.add(channels.open("fleet-" + i, endpoint));
        fill(connections.getLast(), pods);
      }
      long running =
          connections.stream()
              .mapToLong(
                  connection ->
                      connection
                          .runtime()
                          .listContainers(ContainerFilter.getDefaultInstance())
                          .size())
              .sum();
      System.out.println("containers " + running);
      System.out.println("threads " + ManagementFactory.getThreadMXBean().getThreadCount());
      System.out.println("kilobytes " + peakKilobytes());
      connections.forEach(CriConnection::close);
      fleet.forEach(Simulator::close);
    }
  }

  /// Pods as an agent makes them: labels and annotations of Kubernetes, variables, mounts.
  private static void fill(CriConnection connection, int pods) {
    RuntimeClient runtime = connection.runtime();
    connection
        .images()
        .pullImage(
            ImageSpec.newBuilder().setImage(TestService.IMAGE).build(),
            AuthConfig.getDefaultInstance(),
            PodSandboxConfig.getDefaultInstance());
    IntStream.range(0, pods).forEach(number -> start(runtime, number));
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
          .setValue(ByteString.copyFromUtf8("value " + number));
      container
          .addMountsBuilder()
          .setContainerPath("/mounts/" + i)
          .setHostPath("/var/lib/pods/" + number + "/" + i);
    }
    String sandbox = runtime.runPodSandbox(pod.build(), "");
    runtime.startContainer(runtime.createContainer(sandbox, container.build(), pod.build()));
  }

  /// The most memory that the process ever had, all of it: heap, classes, buffers, stacks.
  private static long peakKilobytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }
}
