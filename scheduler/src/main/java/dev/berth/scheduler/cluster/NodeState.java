package dev.berth.scheduler.cluster;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A node with its pods, assumed ones included.
///
/// Confined to its cluster, whose lock guards it.
public final class NodeState {
  private final String name;
  private @Nullable NodeInfo info;
  private @Nullable NodeShape shape;
  private final Map<ObjectKey, PodInfo> pods = new LinkedHashMap<>();
  // The number of pods by the uid of their controller; zero counts are removed.
  private final Map<String, Integer> siblings = new HashMap<>();
  private NodeAllocation use = NodeAllocation.NONE;

  NodeState(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  /// The node itself; only while it is known.
  public NodeInfo info() {
    if (info == null) {
      throw new IllegalStateException("node " + name + " is not known");
    }
    return info;
  }

  /// False while pods are bound to a node that has not been seen or was deleted.
  public boolean isKnown() {
    return info != null;
  }

  public NodeAllocation use() {
    return use;
  }

  public Collection<PodInfo> pods() {
    return Collections.unmodifiableCollection(pods.values());
  }

  public @Nullable PodInfo pod(ObjectKey key) {
    return pods.get(key);
  }

  /// The number of pods of a controller on this node.
  public int siblings(String owner) {
    return owner.isEmpty() ? 0 : siblings.getOrDefault(owner, 0);
  }

  void become(@Nullable NodeInfo next) {
    leaveShape();
    info = next;
  }

  void join(NodeShape next) {
    shape = next;
    next.add(this);
  }

  private void leaveShape() {
    if (shape != null) {
      shape.remove(this);
      shape = null;
    }
  }

  @Nullable NodeShape shape() {
    return shape;
  }

  void add(PodInfo pod) {
    PodInfo before = pods.put(pod.key(), pod);
    NodeAllocation next = before == null ? use : use.minus(before, pods.values());
    if (before != null) {
      count(before.owner(), -1);
    }
    count(pod.owner(), 1);
    change(next.plus(pod));
  }

  void remove(ObjectKey key) {
    PodInfo pod = pods.remove(key);
    if (pod != null) {
      count(pod.owner(), -1);
      // The constant spares the subtraction and its maps for nodes that become empty.
      change(pods.isEmpty() ? NodeAllocation.NONE : use.minus(pod, pods.values()));
    }
  }

  private void count(String owner, int by) {
    if (!owner.isEmpty()) {
      siblings.merge(owner, by, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  // Leaves the shape with the old use and joins it with the new one: the use is the key of its
  // group.
  private void change(NodeAllocation next) {
    NodeShape at = shape;
    if (at == null) {
      use = next;
    } else {
      at.remove(this);
      use = next;
      at.add(this);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
