package dev.berth.scheduler.cluster;

import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodRequirements;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// The nodes with equal traits, ordered by use.
///
/// Trait rules are evaluated once per shape, rules about use once per group of nodes with equal
/// use: a decision costs the same for ten nodes of a shape as for ten thousand.
///
/// The price is an index that follows every placement: a pod on a node moves the node from one
/// group to another, in logarithmic time. Guarded by the lock of the cluster's owner.
public final class NodeShape {
  private final NodeTraits traits;

  /// Ordered by the used fraction, then by the exact use.
  // The same use always computes the same double, so that a node is found again when it leaves.
  // Different uses may have one load (CPU for memory); they are groups of one entry.
  private final TreeMap<Double, Map<NodeAllocation, Set<NodeState>>> byLoad = new TreeMap<>();

  // Holders of an image are looked at first; without the index they would hide in groups of equal
  // use.
  private final Map<String, Set<NodeState>> byImage = new HashMap<>();

  /// Keyed by identity: the cluster keeps one instance of equal requirements.
  private final IdentityHashMap<PodRequirements, TraitVerdict> verdicts = new IdentityHashMap<>();

  private int size;

  NodeShape(NodeTraits traits) {
    this.traits = traits;
  }

  public NodeTraits traits() {
    return traits;
  }

  public int size() {
    return size;
  }

  /// Any node, as the representative of all.
  public NodeInfo example() {
    return groups().iterator().next().values().iterator().next().iterator().next().info();
  }

  /// Groups of nodes with equal use, least used first.
  public Collection<Map<NodeAllocation, Set<NodeState>>> groups() {
    return Collections.unmodifiableCollection(byLoad.values());
  }

  public Set<NodeState> withImage(String image) {
    return Collections.unmodifiableSet(byImage.getOrDefault(image, Set.of()));
  }

  public TraitVerdict verdict(
      PodRequirements needs, Function<PodRequirements, TraitVerdict> judge) {
    return verdicts.computeIfAbsent(needs, judge);
  }

  void forgetVerdicts() {
    verdicts.clear();
  }

  /// The used fraction of a node's CPU plus that of its memory.
  public double load(long cpu, long memory) {
    return share(cpu, traits.allocatable().cpu()) + share(memory, traits.allocatable().memory());
  }

  private static double share(long taken, long of) {
    // A node that reports no capacity yet counts as full and comes last.
    return of <= 0 ? 1 : (double) taken / of;
  }

  void add(NodeState node) {
    size++;
    byLoad
        .computeIfAbsent(load(node.use()), _ -> new LinkedHashMap<>())
        .computeIfAbsent(node.use(), _ -> new LinkedHashSet<>())
        .add(node);
    for (String image : node.info().images().names()) {
      byImage.computeIfAbsent(image, _ -> new LinkedHashSet<>()).add(node);
    }
  }

  void remove(NodeState node) {
    size--;
    byLoad.computeIfPresent(
        load(node.use()),
        (_, groups) -> {
          groups.computeIfPresent(node.use(), (_, nodes) -> without(nodes, node));
          return groups.isEmpty() ? null : groups;
        });
    for (String image : node.info().images().names()) {
      byImage.computeIfPresent(image, (_, nodes) -> without(nodes, node));
    }
  }

  private double load(NodeAllocation use) {
    return load(use.cpu(), use.memory());
  }

  private static @org.jspecify.annotations.Nullable Set<NodeState> without(
      Set<NodeState> nodes, NodeState node) {
    nodes.remove(node);
    return nodes.isEmpty() ? null : nodes;
  }
}
