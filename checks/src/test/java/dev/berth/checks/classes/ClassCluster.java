package dev.berth.checks.classes;

import dev.berth.checks.ServerProcess;
import dev.berth.checks.TestCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A control plane with nodes that no agent serves, for tests that end when a pod has its node.
final class ClassCluster implements AutoCloseable {
  static final String NAMESPACE = "default";

  private final TestCluster cluster;
  final KubernetesClient client;
  private final List<String> nodes = new ArrayList<>();

  private ClassCluster(TestCluster cluster, KubernetesClient client) {
    this.cluster = cluster;
    this.client = client;
  }

  static ClassCluster start(Path directory) throws IOException {
    TestCluster cluster = TestCluster.start(directory);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(ServerProcess.patient(Config.fromKubeconfig(cluster.kubeconfig().toFile())))
            .build();
    client
        .serviceAccounts()
        .inNamespace(NAMESPACE)
        .withName("default")
        .waitUntilCondition(Objects::nonNull, 30, TimeUnit.SECONDS);
    return new ClassCluster(cluster, client);
  }

  /// A node that is ready; it keeps these taints, and loses that of new nodes by itself.
  void node(String name, Map<String, String> labels, List<Taint> taints) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .withTaints(taints)
            .endSpec()
            .build();
    client.resource(node).create();
    nodes.add(name);
    beat();
  }

  /// A node that nobody hears of for long is taken for lost.
  private void beat() {
    for (String name : nodes) {
      client
          .nodes()
          .withName(name)
          .subresource("status")
          .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), status());
    }
  }

  private static String status() {
    return """
      {"status": {
        "capacity": {"cpu": "4", "memory": "8Gi", "pods": "110"},
        "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
        "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "%s"}]}}
      """
        .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  RuntimeClass create(RuntimeClass runtimeClass) {
    return client.resource(runtimeClass).create();
  }

  static RuntimeClassBuilder named(String name) {
    return new RuntimeClassBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withHandler("test-handler");
  }

  static Pod pod(String name, String runtimeClass) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .endMetadata()
        .withNewSpec()
        .withRuntimeClassName(runtimeClass)
        .addNewContainer()
        .withName("c")
        .withImage("pause")
        .endContainer()
        .endSpec()
        .build();
  }

  /// The pod once it has a node.
  Pod scheduled(Pod pod) {
    beat();
    client.resource(pod).create();
    return await(pod.getMetadata().getName(), now -> now.getSpec().getNodeName() != null);
  }

  /// Why a pod cannot be scheduled, once that is said.
  String unschedulable(Pod pod) {
    beat();
    client.resource(pod).create();
    Pod told = await(pod.getMetadata().getName(), now -> reason(now) != null);
    return Objects.requireNonNull(reason(told));
  }

  private Pod await(String name, Predicate<Pod> condition) {
    return Objects.requireNonNull(
        client
            .pods()
            .inNamespace(NAMESPACE)
            .withName(name)
            .waitUntilCondition(now -> now != null && condition.test(now), 30, TimeUnit.SECONDS));
  }

  private static @Nullable String reason(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(one -> one.getType().equals("PodScheduled") && one.getStatus().equals("False"))
        .map(one -> one.getMessage())
        .findFirst()
        .orElse(null);
  }

  @Override
  public void close() {
    client.close();
    cluster.close();
  }
}
