package dev.berth.launch.rehearsal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.api.platforms.WindowsVersion;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ApiRequest;
import dev.berth.client.ClientConfig;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.join.JoinTokens;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.rehearsal.StoryRecorder.Mismatch;
import dev.berth.registry.platforms.WindowsRelease;
import dev.berth.sim.SimContext;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.model.MachineInventory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A temporary cluster in this process, and the actions of administrators and developers in it. The
/// story's thread alone uses it; every wait has a time limit and ends with a `Mismatch`.
final class RehearsalCluster implements AutoCloseable {
  private static final String NAMESPACE = "default";

  /// Time limit of each wait. Pulls and sandboxes are simulated, so only a busy machine needs it.
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String JSON = "application/json";
  private static final YAMLMapper YAML = new YAMLMapper();

  private final Closeables closeables = new Closeables();
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final ApiClient client;

  private RehearsalCluster(Path directory, ImageCatalog images, List<SimulatedNode.Plan> plans)
      throws InterruptedException {
    try {
      ControlPlane plane =
          closeables.add(
              ControlPlane.start(LaunchConfig.embedded(directory.resolve("control-plane"))));
      client = closeables.add(ApiClient.open(ClientConfig.fromKubeconfig(plane.kubeconfig())));
      JoinTokens.Made token = JoinTokens.create(plane.kubeconfig(), Duration.ofHours(1));
      SimContext world = closeables.add(new SimContext(Clock.systemUTC(), new Random(1)));
      for (SimulatedNode.Plan plan : plans) {
        nodes.add(closeables.add(SimulatedNode.start(plan, images, world, directory, token)));
      }
      // All nodes start before the first wait, so that they start at the same time.
      for (SimulatedNode.Plan plan : plans) {
        await("node %s takes pods".formatted(plan.name()), () -> takesPods(plan.name()));
      }
      ObjectKey account = new ObjectKey(NAMESPACE, "default");
      await(
          "service account %s exists".formatted(account),
          () -> client.json(ResourceType.SERVICE_ACCOUNTS).find(account).isPresent());
    } catch (InterruptedException | RuntimeException e) {
      closeables.close();
      throw e;
    }
  }

  static RehearsalCluster start(Path directory, ImageCatalog images, List<SimulatedNode.Plan> plans)
      throws InterruptedException {
    return new RehearsalCluster(directory, images, plans);
  }

  /// Whether pods can be bound to the node: a new node is tainted until it is found ready.
  private boolean takesPods(String name) {
    return client
        .json(ResourceType.NODES)
        .find(ObjectKey.clusterScoped(name))
        .filter(node -> hasCondition(node, "Ready") && !hasTaint(node, "not-ready"))
        .isPresent();
  }

  private static boolean hasCondition(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private static boolean hasTaint(JsonNode node, String end) {
    for (JsonNode taint : node.at("/spec/taints")) {
      if (taint.path("key").asText().endsWith("/" + end)) {
        return true;
      }
    }
    return false;
  }

  void create(String yaml) {
    ObjectNode object = read(yaml);
    client.json(type(object)).create(object);
  }

  /// Changes an existing object to the given document.
  void update(String yaml) {
    ObjectNode object = read(yaml);
    ObjectKey key =
        new ObjectKey(
            object.at("/metadata/namespace").asText(), object.at("/metadata/name").asText());
    client.json(type(object)).patch(key, ObjectPatch.merge(object));
  }

  private static ObjectNode read(String yaml) {
    try {
      ObjectNode object = (ObjectNode) YAML.readTree(yaml);
      if (!object.path("kind").asText().equals("RuntimeClass")) {
        object.withObject("/metadata").put("namespace", NAMESPACE);
      }
      return object;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document of a rehearsal is YAML", e);
    }
  }

  /// The type of a document, in the version that it names.
  private static ResourceType type(ObjectNode object) {
    String[] version = object.path("apiVersion").asText().split("/", 2);
    String kind = object.path("kind").asText();
    String plural = kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s");
    return version.length == 1
        ? new ResourceType("", version[0], plural, kind, true)
        : new ResourceType(version[0], version[1], plural, kind, !kind.equals("RuntimeClass"));
  }

  /// Name and version of a node's runtime, which must answer as containerd.
  String runtime(String node) {
    String version =
        client
            .json(ResourceType.NODES)
            .get(ObjectKey.clusterScoped(node))
            .at("/status/nodeInfo/containerRuntimeVersion")
            .asText();
    if (!version.startsWith("containerd://1.6")) {
      throw new Mismatch("node %s has the runtime %s".formatted(node, version));
    }
    return version;
  }

  /// Waits until a pod runs, and returns its place.
  PodPlace running(String name) {
    ObjectKey key = new ObjectKey(NAMESPACE, name);
    await("pod %s runs".formatted(name), () -> isRunning(get(key)), () -> state(get(key)));
    return place(get(key));
  }

  private ObjectNode get(ObjectKey pod) {
    return client.json(ResourceType.PODS).get(pod);
  }

  private static boolean isRunning(JsonNode pod) {
    return pod.at("/status/phase").asText().equals("Running");
  }

  /// The reason why a pod does not run, for messages.
  private static String state(JsonNode pod) {
    String waiting = waiting(pod);
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("status").asText().equals("False") && condition.has("message")) {
        return waiting.isEmpty() ? condition.path("message").asText() : waiting;
      }
    }
    return waiting.isEmpty() ? pod.at("/status/phase").asText() : waiting;
  }

  private static String waiting(JsonNode pod) {
    return pod.at("/status/containerStatuses/0/state/waiting/message").asText();
  }

  /// Waits until all pods of a Deployment run, and returns their places.
  List<PodPlace> replicas(String app, int count) {
    Predicate<List<ObjectNode>> complete =
        pods -> pods.size() == count && pods.stream().allMatch(RehearsalCluster::isRunning);
    await("%d pods of %s run".formatted(count, app), () -> complete.test(pods("app=" + app)));
    return pods("app=" + app).stream().map(this::place).toList();
  }

  private List<ObjectNode> pods(String labels) {
    return client
        .json(ResourceType.PODS)
        .list(ListQuery.inNamespace(NAMESPACE).withLabelSelector(labels));
  }

  /// Waits until the image of a pod cannot be pulled for a reason, and returns the whole message.
  /// What other nodes run is published within a moment.
  String pullFailure(String name, String reason) {
    ObjectKey key = new ObjectKey(NAMESPACE, name);
    await(
        "pod %s waits because %s".formatted(name, reason),
        () -> waiting(get(key)).contains(reason),
        () -> waiting(get(key)));
    return waiting(get(key));
  }

  /// The place of a running pod. The handler and the entry come from the runtime itself: the API
  /// shows neither.
  private PodPlace place(JsonNode pod) {
    String node = pod.at("/spec/nodeName").asText();
    String id = pod.at("/status/containerStatuses/0/containerID").asText().replaceFirst(".*//", "");
    MachineInventory.RunningImage image =
        nodes.stream()
            .filter(one -> one.simulator().name().equals(node))
            .map(one -> new MachineInventory(one.simulator().machine()).image(id))
            .findFirst()
            .orElseThrow(() -> new Mismatch("pod runs on unknown node \"%s\"".formatted(node)));
    String isolation = image.isHypervisor() ? "hyperv" : "process";
    return new PodPlace(
        pod.at("/metadata/name").asText(),
        pod.at("/spec/runtimeClassName").asText(),
        node,
        system(client.json(ResourceType.NODES).get(ObjectKey.clusterScoped(node))),
        image.handler(),
        image.platform().isWindows() ? isolation : "",
        pod.at("/spec/containers/0/image").asText(),
        image.platform().toString());
  }

  private static String system(JsonNode node) {
    String build = node.at("/metadata/labels/node.kubernetes.io~1windows-build").asText();
    return WindowsVersion.parse(build)
        .map(WindowsRelease::product)
        .orElse(node.at("/metadata/labels/kubernetes.io~1os").asText());
  }

  /// Does what `kubectl drain` does: no new pods come, and the present ones are evicted.
  ///
  /// @return the names of the evicted pods
  List<String> drain(String node) {
    setUnschedulable(node, true);
    List<String> evicted = new ArrayList<>();
    ListQuery query = ListQuery.inNamespace(NAMESPACE).withFieldSelector("spec.nodeName=" + node);
    for (ObjectNode pod : client.json(ResourceType.PODS).list(query)) {
      ObjectKey key = new ObjectKey(NAMESPACE, pod.at("/metadata/name").asText());
      evict(key);
      awaitGone(key);
      evicted.add(key.name());
    }
    return evicted;
  }

  /// Evicts through the API, which respects PodDisruptionBudgets, as `kubectl drain` does.
  private void evict(ObjectKey pod) {
    ObjectNode eviction = JsonNodeFactory.instance.objectNode();
    eviction.put("apiVersion", "policy/v1").put("kind", "Eviction");
    eviction.putObject("metadata").put("name", pod.name()).put("namespace", pod.namespace());
    client.exchange(
        ApiRequest.of(
            "POST",
            ResourceType.PODS.path(pod) + "/eviction",
            JSON,
            JSON,
            eviction.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private void awaitGone(ObjectKey pod) {
    await(
        "pod %s is gone".formatted(pod), () -> client.json(ResourceType.PODS).find(pod).isEmpty());
  }

  private void setUnschedulable(String node, boolean value) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode spec = patch.putObject("spec");
    if (value) {
      spec.put("unschedulable", true);
    } else {
      spec.putNull("unschedulable");
    }
    client
        .json(ResourceType.NODES)
        .patch(ObjectKey.clusterScoped(node), ObjectPatch.strategic(patch));
  }

  /// Removes everything but the nodes.
  void clear() {
    deleteAll(ResourceType.DEPLOYMENTS);
    deleteAll(ResourceType.REPLICA_SETS);
    client
        .json(ResourceType.PODS)
        .deleteCollection(
            ListQuery.inNamespace(NAMESPACE), DeleteOptions.DEFAULT.withGracePeriod(0));
    await("no pods are left", () -> isEmpty(ResourceType.PODS));
    client
        .json(ResourceType.RUNTIME_CLASSES)
        .deleteCollection(ListQuery.ALL, DeleteOptions.DEFAULT);
    for (SimulatedNode node : nodes) {
      String name = node.simulator().name();
      setUnschedulable(name, false);
      await(
          "node %s is schedulable".formatted(name),
          () ->
              !hasTaint(
                  client.json(ResourceType.NODES).get(ObjectKey.clusterScoped(name)),
                  "unschedulable"));
    }
  }

  private void deleteAll(ResourceType type) {
    client.json(type).deleteCollection(ListQuery.inNamespace(NAMESPACE), DeleteOptions.DEFAULT);
    await("no %s are left".formatted(type), () -> isEmpty(type));
  }

  private boolean isEmpty(ResourceType type) {
    return client.json(type).list(ListQuery.inNamespace(NAMESPACE)).isEmpty();
  }

  private static void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> "");
  }

  /// @param state for the message when the condition does not come true
  private static void await(String what, BooleanSupplier condition, Supplier<String> state) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() > end) {
        String found = state.get();
        throw new Mismatch(
            "not within %d s: %s%s"
                .formatted(PATIENCE.toSeconds(), what, found.isEmpty() ? "" : " (" + found + ")"));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE.toMillis()));
    }
  }

  /// Whether the condition is true; an object that does not exist yet may still be created.
  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (ApiException e) {
      if (e.isNotFound()) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    closeables.close();
  }
}
