package dev.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.explain.ClassReport.ClassNode;
import dev.berth.scheduler.explain.PodExplanation.NodeAnswer;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.model.ReportedRuntimes;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.RuntimeServiceInfo;
import dev.berth.scheduler.model.TrackedPod;
import dev.berth.scheduler.placement.NodePlacer;
import dev.berth.scheduler.placement.PlacementDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Explains placements from a snapshot of the cluster.
///
/// Four lists without a common revision: a pod that moves between them may be counted at its old
/// place. For a person who asks, that is as good as the answer's age. Not thread-safe, because
/// [#pod] takes the pod out of the cluster for a moment.
public final class ClusterExplanations {
  private static final String DEFAULT_CLASS = "runtimeclass.berth.dev/is-default-class";
  private static final String NAMESPACE_DEFAULT = "runtimeclass.berth.dev/default";

  private final ClusterState cluster = new ClusterState();
  private final List<ObjectNode> classes;
  private final List<ObjectNode> namespaces;
  private final Map<ObjectKey, TrackedPod> pods = new TreeMap<>();

  private ClusterExplanations(ApiClient client) {
    client
        .json(ResourceType.NODES)
        .list(ListQuery.ALL)
        .forEach(node -> cluster.putNode(NodeInfo.parse(node)));
    classes = client.json(ResourceType.RUNTIME_CLASSES).list(ListQuery.ALL);
    classes.forEach(tree -> cluster.putClass(RuntimeClassInfo.parse(tree)));
    namespaces = client.json(ResourceType.NAMESPACES).list(ListQuery.ALL);
    for (ObjectNode one : namespaces) {
      Map<String, String> labels = new TreeMap<>();
      one.path("metadata")
          .path("labels")
          .properties()
          .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
      cluster.putNamespace(one.path("metadata").path("name").asText(), labels);
    }
    for (ObjectNode tree : client.json(ResourceType.PODS).list(ListQuery.ALL)) {
      TrackedPod pod = TrackedPod.parse(tree);
      pods.put(pod.pod().key(), pod);
      if (pod.takesRoom()) {
        cluster.putPod(pod.pod(), pod.node());
      }
    }
  }

  /// Reads all objects that decide about placements.
  public static ClusterExplanations read(ApiClient client) {
    return new ClusterExplanations(client);
  }

  /// Explains the placement of a pod; empty when no such pod exists.
  public Optional<PodExplanation> pod(ObjectKey key) {
    TrackedPod observed = pods.get(key);
    if (observed == null) {
      return Optional.empty();
    }
    // The pod itself must not occupy its node in the simulation.
    cluster.removePod(key);
    NodePlacer placer = new NodePlacer(cluster);
    String message = message(observed, placer.place(observed.pod()));
    List<NodeAnswer> answers = new ArrayList<>();
    for (Map.Entry<String, List<RefusalReason>> entry : placer.explain(observed.pod()).entrySet()) {
      NodeState node = cluster.node(entry.getKey());
      answers.add(
          new NodeAnswer(
              entry.getKey(),
              entry.getValue().isEmpty(),
              entry.getValue().stream().map(RefusalReason::text).toList(),
              node == null ? FreeResources.NONE : FreeResources.of(node)));
    }
    if (observed.takesRoom()) {
      cluster.putPod(observed.pod(), observed.node());
    }
    String className = observed.pod().needs().className();
    String handler = cluster.handler(className);
    return Optional.of(
        new PodExplanation(
            key.namespace(),
            key.name(),
            className,
            handler == null ? "" : handler,
            observed.node(),
            message,
            answers));
  }

  private static String message(TrackedPod pod, PlacementDecision decision) {
    if (!pod.node().isEmpty()) {
      return "It is on " + pod.node() + ".";
    }
    if (pod.pod().isGated()) {
      return "It waits for its scheduling gates.";
    }
    return switch (decision) {
      case PlacementDecision.Chosen(NodeState node, _) -> "It can go to " + node.name() + ".";
      case PlacementDecision.Refused(var refusal) -> refusal.message();
    };
  }

  public List<ClassReport> classes() {
    return classes.stream().map(this::report).toList();
  }

  private ClassReport report(ObjectNode tree) {
    RuntimeClassInfo info = RuntimeClassInfo.parse(tree);
    List<ClassNode> nodes = new ArrayList<>();
    FreeResources free = FreeResources.NONE;
    int ready = 0;
    for (NodeState node : cluster.nodes()) {
      if (info.selects(node.info()) && mayOffer(info, node.info())) {
        ClassNode found = node(info, node);
        nodes.add(found);
        if (found.state().equals("ready")) {
          ready++;
          free = free.plus(found.free());
        }
      }
    }
    Map<String, String> overhead = new TreeMap<>();
    tree.path("overhead")
        .path("podFixed")
        .properties()
        .forEach(entry -> overhead.put(entry.getKey(), entry.getValue().asText()));
    long users =
        pods.values().stream()
            .filter(pod -> !pod.isFinished())
            .filter(pod -> pod.pod().needs().className().equals(info.name()))
            .count();
    return new ClassReport(
        info.name(),
        info.handler(),
        overhead,
        annotation(tree, DEFAULT_CLASS).equals("true"),
        defaultOf(info.name()),
        nodes.size(),
        ready,
        free,
        (int) users,
        nodes);
  }

  private static boolean mayOffer(RuntimeClassInfo info, NodeInfo node) {
    ReportedRuntimes runtimes = node.traits().runtimes();
    return !runtimes.isReported() || runtimes.offers(info.handler());
  }

  private ClassNode node(RuntimeClassInfo info, NodeState node) {
    List<String> services =
        node.info().traits().runtimes().services().stream()
            .filter(service -> service.handlers().contains(info.handler()))
            .map(RuntimeServiceInfo::name)
            .toList();
    long users =
        node.pods().stream().filter(pod -> pod.needs().className().equals(info.name())).count();
    return new ClassNode(
        node.name(), services, state(info, node.info()), FreeResources.of(node), (int) users);
  }

  private static String state(RuntimeClassInfo info, NodeInfo node) {
    if (node.traits().isUnschedulable()) {
      return "unschedulable";
    }
    ReportedRuntimes runtimes = node.traits().runtimes();
    if (runtimes.isReported() && !runtimes.offersReady(info.handler())) {
      return "not ready";
    }
    if (info.isRepelledBy(node)) {
      return "tainted";
    }
    return runtimes.isReported() ? "ready" : "by labels";
  }

  private List<String> defaultOf(String name) {
    return namespaces.stream()
        .filter(namespace -> annotation(namespace, NAMESPACE_DEFAULT).equals(name))
        .map(namespace -> namespace.path("metadata").path("name").asText())
        .toList();
  }

  private static String annotation(JsonNode tree, String key) {
    return tree.path("metadata").path("annotations").path(key).asText();
  }
}
