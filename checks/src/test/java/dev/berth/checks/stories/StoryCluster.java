package dev.berth.checks.stories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.ServerProcess;
import dev.berth.checks.TestCluster;
import dev.berth.launch.join.JoinTokens;
import dev.berth.launch.rehearsal.MultiArchImages;
import dev.berth.launch.rehearsal.SimulatedNode;
import dev.berth.launch.rehearsal.SimulatedNode.Plan;
import dev.berth.sim.SimContext;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.model.MachineInventory;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A cluster of Windows and Linux nodes, and what administrators and developers do with it.
final class StoryCluster implements AutoCloseable {
  static final String NAMESPACE = "default";
  private static final long PATIENCE = 180;

  private final TestCluster cluster;
  private final KubernetesClient client;
  private final SimContext world = new SimContext(InstantSource.system(), new Random(1));
  private final List<SimulatedNode> nodes = new ArrayList<>();

  private StoryCluster(TestCluster cluster) {
    this.cluster = cluster;
    this.client =
        new KubernetesClientBuilder()
            .withConfig(ServerProcess.patient(Config.fromKubeconfig(cluster.kubeconfig().toFile())))
            .build();
  }

  static StoryCluster start(Path directory, ImageCatalog images, List<Plan> plans)
      throws InterruptedException {
    StoryCluster story = new StoryCluster(TestCluster.start(directory.resolve("server")));
    JoinTokens.Made token = JoinTokens.create(story.cluster.kubeconfig(), Duration.ofHours(1));
    for (Plan plan : plans) {
      story.nodes.add(SimulatedNode.start(plan, images, story.world, directory, token));
    }
    for (Plan plan : plans) {
      story.awaitNode(plan.name(), StoryCluster::takesPods);
    }
    story
        .client
        .serviceAccounts()
        .inNamespace(NAMESPACE)
        .withName("default")
        .waitUntilCondition(Objects::nonNull, PATIENCE, TimeUnit.SECONDS);
    return story;
  }

  /// A new node is tainted until it was found ready.
  private static boolean takesPods(Node node) {
    return node.getStatus().getConditions().stream()
            .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"))
        && node.getSpec().getTaints().stream()
            .noneMatch(taint -> taint.getKey().endsWith("/not-ready"));
  }

  Node awaitNode(String name, Predicate<Node> condition) {
    return Objects.requireNonNull(
        client
            .nodes()
            .withName(name)
            .waitUntilCondition(
                node -> node != null && condition.test(node), PATIENCE, TimeUnit.SECONDS));
  }

  /// Creates what a document of the designs says, as it stands there.
  List<GenericKubernetesResource> create(String file) {
    List<GenericKubernetesResource> created = new ArrayList<>();
    // One of the documents has lines of four dashes between objects.
    for (String yaml : read(file).split("(?m)^-{3,}$", -1)) {
      GenericKubernetesResource object =
          Serialization.unmarshal(yaml, GenericKubernetesResource.class);
      if (!object.getKind().equals("RuntimeClass")) {
        object.getMetadata().setNamespace(NAMESPACE);
      }
      created.add(client.resource(object).create());
    }
    return created;
  }

  private static String read(String file) {
    try (InputStream stream = StoryCluster.class.getResourceAsStream("/stories/" + file)) {
      return new String(
          Objects.requireNonNull(stream, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(file, e);
    }
  }

  void runtimeClass(String yaml) {
    HasMetadata object =
        Serialization.unmarshal(
            "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\n" + yaml,
            GenericKubernetesResource.class);
    client.resource(object).create();
  }

  /// Changes what is there into what a document says.
  void update(String file) {
    GenericKubernetesResource wanted =
        Serialization.unmarshal(read(file), GenericKubernetesResource.class);
    client.resource(wanted).update();
  }

  void deleteClass(String name) {
    client.runtimeClasses().withName(name).delete();
  }

  Pod pod(String name, String spec) {
    return pod(name, spec, MultiArchImages.NEWER);
  }

  /// Creates a pod from the part of its specification that matters.
  Pod pod(String name, String spec, String image) {
    Pod pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              terminationGracePeriodSeconds: 0
              containers: [{name: main, image: "%s"}]
            """
                    .formatted(name, image)
                + spec.indent(2),
            Pod.class);
    return client.resource(pod).create();
  }

  /// Creates a Deployment of one pod, from the part of its specification that matters.
  void deployment(String name, String spec) {
    Deployment deployment =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s, namespace: default}
            spec:
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: "%2$s"}]
            """
                    .formatted(name, MultiArchImages.NEWER)
                + spec.indent(6),
            Deployment.class);
    client.resource(deployment).create();
  }

  /// The pods of a Deployment, once there are so many and all run.
  List<Pod> replicas(String app, int count) {
    return client
        .pods()
        .inNamespace(NAMESPACE)
        .withLabel("app", app)
        .informOnCondition(
            pods ->
                pods.size() == count
                    && pods.stream().allMatch(one -> "Running".equals(one.getStatus().getPhase())))
        .orTimeout(PATIENCE, TimeUnit.SECONDS)
        .join();
  }

  /// Why the container of a pod waits, once it is for its image.
  String waiting(String name) {
    Pod pod =
        await(
            name,
            one ->
                one.getStatus().getContainerStatuses().stream()
                    .anyMatch(StoryCluster::waitsForImage));
    return pod.getStatus().getContainerStatuses().getFirst().getState().getWaiting().getMessage();
  }

  private static boolean waitsForImage(ContainerStatus status) {
    return status.getState().getWaiting() != null
        && "ErrImagePull".equals(status.getState().getWaiting().getReason());
  }

  Pod await(String name, Predicate<Pod> condition) {
    return Objects.requireNonNull(
        client
            .pods()
            .inNamespace(NAMESPACE)
            .withName(name)
            .waitUntilCondition(
                pod -> pod != null && condition.test(pod), PATIENCE, TimeUnit.SECONDS));
  }

  /// The pod, once it runs.
  Pod running(String name) {
    return await(name, pod -> "Running".equals(pod.getStatus().getPhase()));
  }

  /// Why a pod has no node.
  String unschedulable(String name) {
    Pod pod = await(name, one -> condition(one, "PodScheduled", "False"));
    return message(pod, "PodScheduled");
  }

  private static boolean condition(Pod pod, String type, String status) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals(type) && one.getStatus().equals(status));
  }

  private static String message(Pod pod, String type) {
    return pod.getStatus().getConditions().stream()
        .filter(one -> one.getType().equals(type))
        .map(PodCondition::getMessage)
        .findFirst()
        .orElse("");
  }

  static void assertRuns(Pod pod, String node, String handler) {
    assertThat(pod.getSpec().getNodeName()).isEqualTo(node);
    assertThat(message(pod, "RuntimeServiceBound"))
        .isEqualTo("runtime service \"containerd\", handler \"%s\"", handler);
  }

  /// The image of a pod's container as its runtime knows it: the entry that was chosen.
  String imageOf(Pod pod) {
    String id = pod.getStatus().getContainerStatuses().getFirst().getContainerID();
    return nodes.stream()
        .filter(node -> node.simulator().name().equals(pod.getSpec().getNodeName()))
        .map(node -> new MachineInventory(node.simulator().machine()))
        .map(inventory -> inventory.container(id.replaceFirst(".*//", "")).status().getImageId())
        .findFirst()
        .orElseThrow();
  }

  /// What `kubectl drain` does: no new pods, and those there are evicted.
  List<Pod> drain(String node) {
    setUnschedulable(node, "true");
    List<Pod> there =
        client.pods().inNamespace(NAMESPACE).withField("spec.nodeName", node).list().getItems();
    for (Pod pod : there) {
      assertThat(client.pods().resource(pod).evict()).isTrue();
      awaitGone(pod.getMetadata().getName());
    }
    return there;
  }

  /// Whatever else happens to the node meanwhile.
  private void setUnschedulable(String node, String value) {
    client
        .nodes()
        .withName(node)
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            "{\"spec\":{\"unschedulable\":%s}}".formatted(value));
  }

  void awaitGone(String pod) {
    client
        .pods()
        .inNamespace(NAMESPACE)
        .withName(pod)
        .waitUntilCondition(Objects::isNull, PATIENCE, TimeUnit.SECONDS);
  }

  /// Leaves the nodes and nothing else.
  void clear() {
    client.apps().deployments().inNamespace(NAMESPACE).delete();
    client
        .apps()
        .replicaSets()
        .inNamespace(NAMESPACE)
        .informOnCondition(List::isEmpty)
        .orTimeout(PATIENCE, TimeUnit.SECONDS)
        .join();
    for (Pod pod : client.pods().inNamespace(NAMESPACE).list().getItems()) {
      client.resource(pod).withGracePeriod(0).delete();
      awaitGone(pod.getMetadata().getName());
    }
    client.runtimeClasses().delete();
    for (Node node : client.nodes().list().getItems()) {
      setUnschedulable(node.getMetadata().getName(), "null");
      awaitNode(
          node.getMetadata().getName(),
          one ->
              one.getSpec().getTaints().stream()
                  .noneMatch(t -> t.getKey().endsWith("/unschedulable")));
    }
  }

  @Override
  public void close() {
    nodes.reversed().forEach(SimulatedNode::close);
    client.close();
    cluster.close();
    world.close();
  }
}
