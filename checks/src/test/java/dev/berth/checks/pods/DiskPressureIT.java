package dev.berth.checks.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.pods.HousekeepingSettings;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.ThresholdValue;
import dev.berth.agent.volumes.mounts.LinuxMounts;
import dev.berth.checks.TestCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node on a small disk of its own, which really fills up; the whole control plane is there, and
/// only the runtime is simulated.
final class DiskPressureIT {
  private static final int DISK = 32 << 20;
  private static final long PATIENCE = 180;
  private static final String NAMESPACE = "default";
  private static final String TAINT = "node.kubernetes.io/disk-pressure";

  private static final PressureRules RULES =
      new PressureRules(
          List.of(EvictionThreshold.hard(EvictionSignal.NODE_DISK, new ThresholdValue(0, 0.5))),
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofMillis(100));

  private final LinuxMounts mounts = new LinuxMounts();
  @TempDir private Path directory;
  private Path disk;

  @BeforeEach
  void mount() throws IOException {
    assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "needs root");
    disk = Files.createDirectory(directory.resolve("disk"));
    mounts.memory(disk, DISK);
  }

  @AfterEach
  void unmount() throws IOException {
    mounts.unmountBelow(directory);
  }

  @Test
  void aDiskThatFillsUpCostsPodsAndIsShownUntilThereIsRoomAgain() throws IOException {
    Path logs = directory.resolve("logs");
    PodSettings pods =
        TestCluster.PODS.with(RULES).with(HousekeepingSettings.USUAL.withPodLogs(logs));
    try (TestCluster cluster = TestCluster.withNode(directory.resolve("plane"), disk, pods);
        KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
                .build()) {
      Pod greedy = start(client, "greedy");
      assertThat(logs.resolve("default_greedy_" + greedy.getMetadata().getUid()))
          .as("where --pod-logs-dir says")
          .isDirectory();
      // What a container would write there.
      Files.write(
          disk.resolve("agent/pods")
              .resolve(greedy.getMetadata().getUid())
              .resolve("volumes/kubernetes.io~empty-dir/data/file"),
          new byte[DISK / 8]);
      Files.write(disk.resolve("ballast"), new byte[DISK / 2]);

      Pod evicted = await(client, "greedy", pod -> isIn(pod, "Failed"));
      assertThat(evicted.getStatus().getReason()).isEqualTo("Evicted");
      assertThat(evicted.getStatus().getMessage())
          .startsWith("The node was low on resource: ephemeral-storage. Threshold quantity: ");
      awaitNode(client, node -> isShort(node) && isTainted(node));

      create(client, "late");
      await(client, "late", DiskPressureIT::isNotScheduled);
      Path room =
          disk.resolve("agent/pods").resolve(greedy.getMetadata().getUid()).resolve("volumes");
      awaitFree(room);

      Files.delete(disk.resolve("ballast"));
      awaitNode(client, node -> !isShort(node) && !isTainted(node));
      await(client, "late", pod -> isIn(pod, "Running"));
    }
  }

  private static Pod start(KubernetesClient client, String name) {
    client
        .serviceAccounts()
        .inNamespace(NAMESPACE)
        .withName("default")
        .waitUntilCondition(Objects::nonNull, PATIENCE, TimeUnit.SECONDS);
    create(client, name);
    return await(client, name, pod -> isIn(pod, "Running"));
  }

  private static void create(KubernetesClient client, String name) {
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 0
          containers: [{name: main, image: "busybox:1", command: [sleep, "100000"]}]
          volumes: [{name: data, emptyDir: {}}]
        """
            .formatted(name);
    client.pods().inNamespace(NAMESPACE).resource(Serialization.unmarshal(pod, Pod.class)).create();
  }

  private static Pod await(KubernetesClient client, String name, Predicate<Pod> condition) {
    return client
        .pods()
        .inNamespace(NAMESPACE)
        .withName(name)
        .waitUntilCondition(pod -> pod != null && condition.test(pod), PATIENCE, TimeUnit.SECONDS);
  }

  private static void awaitNode(KubernetesClient client, Predicate<Node> condition) {
    Node _ =
        client
            .nodes()
            .withName("node-1")
            .waitUntilCondition(
                node -> node != null && condition.test(node), PATIENCE, TimeUnit.SECONDS);
  }

  /// Of a pod that has ended; that is told before.
  private static void awaitFree(Path room) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
    while (Files.exists(room)) {
      assertThat(System.nanoTime()).as("%s is still there", room).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static boolean isIn(Pod pod, String phase) {
    return pod.getStatus() != null && phase.equals(pod.getStatus().getPhase());
  }

  private static boolean isNotScheduled(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(
                one -> one.getType().equals("PodScheduled") && one.getStatus().equals("False"));
  }

  private static boolean isShort(Node node) {
    return node.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("DiskPressure") && one.getStatus().equals("True"));
  }

  private static boolean isTainted(Node node) {
    return node.getSpec().getTaints().stream().anyMatch(taint -> taint.getKey().equals(TAINT));
  }
}
