package dev.berth.scheduler.cluster;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.PodTerm;
import dev.berth.scheduler.model.RuntimeClassInfo;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The state that placements are based on, updated incrementally.
///
/// Not thread-safe; the owner locks.
public final class ClusterState {
  // Bounds the verdicts of each shape. Pods of one template have equal requirements, so this is the
  // number of different templates; above it the cache starts from empty.
  private static final int NEEDS_KEPT = 2_000;

  // With nodes that are not known but have pods: pods may arrive first, and outlive their node's
  // object.
  private final Map<String, NodeState> nodes = new LinkedHashMap<>();
  // Never holds an empty shape: [NodeShape#example] relies on that.
  private final Map<NodeTraits, NodeShape> shapes = new LinkedHashMap<>();
  private final Map<ObjectKey, NodeState> places = new HashMap<>();
  private final Map<String, RuntimeClassInfo> classes = new TreeMap<>();
  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final Map<PodRequirements, PodRequirements> needs = new HashMap<>();

  /// The anti-affinity terms of placed pods, with the nodes of those pods.
  private final Map<PodTerm, Map<NodeState, Integer>> keptAway = new HashMap<>();

  private final ClassScheduling scheduling;

  // Nodes that exist; the map has more entries.
  private int known;

  public ClusterState() {
    this(ClassScheduling.OFFERED);
  }

  /// @param scheduling the default for RuntimeClasses without the annotation
  public ClusterState(ClassScheduling scheduling) {
    this.scheduling = scheduling;
  }

  public void putNode(NodeInfo info) {
    NodeState node = nodes.computeIfAbsent(info.name(), NodeState::new);
    if (node.isKnown() && node.info().equals(info)) {
      return;
    }
    // Leaves the old shape even if the traits are equal: the shape also indexes the node's images.
    forget(node);
    known++;
    node.become(info);
    node.join(shapes.computeIfAbsent(info.traits(), NodeShape::new));
  }

  /// Its pods stay counted until they are deleted, in case the node returns.
  public void removeNode(String name) {
    NodeState node = nodes.get(name);
    if (node != null) {
      forget(node);
      dropIfUnused(node);
    }
  }

  private void forget(NodeState node) {
    NodeShape shape = node.shape();
    if (node.isKnown()) {
      known--;
      node.become(null);
    }
    if (shape != null && shape.size() == 0) {
      shapes.remove(shape.traits());
    }
  }

  private void dropIfUnused(NodeState node) {
    if (!node.isKnown() && node.pods().isEmpty()) {
      nodes.remove(node.name());
    }
  }

  /// Places a pod on a node, or moves it to another one.
  public void putPod(PodInfo pod, String nodeName) {
    NodeState before = places.get(pod.key());
    if (before != null && before.name().equals(nodeName) && pod.equals(before.pod(pod.key()))) {
      return;
    }
    removePod(pod.key());
    NodeState node = nodes.computeIfAbsent(nodeName, NodeState::new);
    node.add(pod);
    places.put(pod.key(), node);
    pod.affinity().far().forEach(term -> count(term, node, 1));
  }

  public void removePod(ObjectKey key) {
    NodeState node = places.remove(key);
    if (node == null) {
      return;
    }
    PodInfo pod = node.pod(key);
    if (pod != null) {
      pod.affinity().far().forEach(term -> count(term, node, -1));
    }
    node.remove(key);
    dropIfUnused(node);
  }

  private void count(PodTerm term, NodeState node, int by) {
    Map<NodeState, Integer> where = keptAway.computeIfAbsent(term, _ -> new HashMap<>());
    // Counted, because several pods of one node usually carry the same term.
    where.merge(node, by, (a, b) -> a + b == 0 ? null : a + b);
    if (where.isEmpty()) {
      keptAway.remove(term);
    }
  }

  public void putClass(RuntimeClassInfo info) {
    if (!info.equals(classes.put(info.name(), info))) {
      shapes.values().forEach(NodeShape::forgetVerdicts);
    }
  }

  public void removeClass(String name) {
    if (classes.remove(name) != null) {
      shapes.values().forEach(NodeShape::forgetVerdicts);
    }
  }

  public void putNamespace(String name, Map<String, String> labels) {
    namespaces.put(name, labels);
  }

  public void removeNamespace(String name) {
    namespaces.remove(name);
  }

  /// The number of nodes.
  public int size() {
    return known;
  }

  public int podCount() {
    return places.size();
  }

  public Collection<NodeShape> shapes() {
    return Collections.unmodifiableCollection(shapes.values());
  }

  public Iterable<NodeState> nodes() {
    return () -> nodes.values().stream().filter(NodeState::isKnown).iterator();
  }

  /// The node, if it is known.
  public @Nullable NodeState node(String name) {
    NodeState node = nodes.get(name);
    return node != null && node.isKnown() ? node : null;
  }

  public Optional<String> placeOf(ObjectKey pod) {
    return Optional.ofNullable(places.get(pod)).map(NodeState::name);
  }

  public Collection<RuntimeClassInfo> classes() {
    return Collections.unmodifiableCollection(classes.values());
  }

  /// The handler of a class: empty for no class, null when there is no such class.
  public @Nullable String handler(String className) {
    if (className.isEmpty()) {
      return "";
    }
    RuntimeClassInfo info = classes.get(className);
    return info == null ? null : info.handler();
  }

  /// The class of this name, if it exists.
  public Optional<RuntimeClassInfo> runtimeClass(String name) {
    return Optional.ofNullable(classes.get(name));
  }

  /// The nodes that are feasible for pods of a class.
  public ClassScheduling scheduling(String className) {
    return runtimeClass(className).flatMap(RuntimeClassInfo::scheduling).orElse(scheduling);
  }

  public Map<String, Map<String, String>> namespaces() {
    return Collections.unmodifiableMap(namespaces);
  }

  /// The anti-affinity terms of placed pods, with the nodes of those pods.
  public Map<PodTerm, Map<NodeState, Integer>> keptAway() {
    return Collections.unmodifiableMap(keptAway);
  }

  /// Costs one match per distinct term in the cluster, for each attempt; equal terms of a
  /// Deployment's pods count once.
  public boolean isKeptAway(PodInfo pod) {
    for (PodTerm term : keptAway.keySet()) {
      if (term.matches(pod, namespaces)) {
        return true;
      }
    }
    return false;
  }

  /// The canonical instance of equal requirements, so that shapes find verdicts by identity.
  public PodRequirements shared(PodRequirements wanted) {
    if (needs.size() >= NEEDS_KEPT && !needs.containsKey(wanted)) {
      // The verdicts are keyed by the instances that are dropped here; they would never be found
      // again.
      needs.clear();
      shapes.values().forEach(NodeShape::forgetVerdicts);
    }
    return needs.computeIfAbsent(wanted, same -> same);
  }

  /// The names of all handlers that nodes offer.
  public Set<String> handlers() {
    Set<String> all = new java.util.TreeSet<>();
    shapes.keySet().forEach(traits -> all.addAll(traits.runtimes().handlers()));
    return all;
  }
}
