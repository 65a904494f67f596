package dev.berth.controllers.gc;

import dev.berth.client.ObjectMetadata;
import dev.berth.client.OwnerReference;
import dev.berth.client.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The owners and dependents of all objects that the monitors have seen, by uid.
///
/// An owner that is referred to but has not been seen is *virtual*: it has dependents but no node.
/// Each change returns the uids of the objects to check next.
///
/// Any thread may call it; it calls nothing else while it holds its lock. The graph is a hint about
/// where to look and never the reason of a deletion.
final class OwnerGraph {
  private final ReentrantLock lock = new ReentrantLock();
  // Both guarded by the lock. No set of dependents is empty.
  private final Map<String, GraphNode> nodes = new HashMap<>();
  private final Map<String, Set<String>> dependents = new HashMap<>();

  /// An object was added or changed.
  Set<String> put(GraphNode node) {
    lock.lock();
    try {
      Set<String> look = new LinkedHashSet<>();
      GraphNode before = nodes.put(node.uid(), node);
      List<OwnerReference> ownersBefore = before == null ? List.of() : before.owners();
      unlink(node, ownersBefore, look);
      link(node, ownersBefore, look);
      if (before == null) {
        misunderstood(node, look);
      }
      if (node.orphansDependents() && (before == null || !before.orphansDependents())) {
        look.add(node.uid());
      }
      // The dependents may be garbage from now on, and the owner itself may have none.
      if (node.waitsForDependents() && (before == null || !before.waitsForDependents())) {
        look.add(node.uid());
        look.addAll(dependents.getOrDefault(node.uid(), Set.of()));
      }
      return look;
    } finally {
      lock.unlock();
    }
  }

  /// Drops references that the object no longer has; an owner may wait for that.
  private void unlink(GraphNode node, List<OwnerReference> before, Set<String> look) {
    for (OwnerReference old : before) {
      Optional<OwnerReference> now = node.reference(old.uid());
      if (now.isEmpty()) {
        forgetDependent(old.uid(), node.uid());
      }
      boolean blockedBefore = old.blockOwnerDeletion();
      if (blockedBefore && now.filter(OwnerReference::blockOwnerDeletion).isEmpty()) {
        lookIfWaiting(old.uid(), look);
      }
    }
  }

  /// Adds the references that the object has gained, and collects what may have to act because of
  /// them.
  private void link(GraphNode node, List<OwnerReference> before, Set<String> look) {
    for (OwnerReference reference : node.owners()) {
      if (before.contains(reference)) {
        continue;
      }
      dependents.computeIfAbsent(reference.uid(), _ -> new HashSet<>()).add(node.uid());
      GraphNode owner = nodes.get(reference.uid());
      // The collector finds out whether a virtual owner exists.
      if (owner == null) {
        look.add(reference.uid());
      } else if (owner.waitsForDependents()
          || !owner.isMeantBy(reference, node.key().namespace())) {
        look.add(node.uid());
      }
    }
  }

  /// Once the owner has been seen: the dependents whose references do not match its kind, name or
  /// scope.
  private void misunderstood(GraphNode owner, Set<String> look) {
    for (String uid : dependents.getOrDefault(owner.uid(), Set.of())) {
      GraphNode dependent = nodes.get(uid);
      if (dependent != null
          && dependent
              .reference(owner.uid())
              .filter(reference -> !owner.isMeantBy(reference, dependent.key().namespace()))
              .isPresent()) {
        look.add(uid);
      }
    }
  }

  /// An object was deleted.
  Set<String> remove(String uid) {
    lock.lock();
    try {
      Set<String> look = new LinkedHashSet<>();
      GraphNode node = nodes.remove(uid);
      if (node != null) {
        for (OwnerReference reference : node.owners()) {
          forgetDependent(reference.uid(), uid);
          lookIfWaiting(reference.uid(), look);
        }
        look.addAll(dependents.getOrDefault(uid, Set.of()));
      }
      return look;
    } finally {
      lock.unlock();
    }
  }

  /// Replaces all objects of a kind after a list.
  Set<String> replace(ResourceType type, List<ObjectMetadata> objects) {
    lock.lock();
    try {
      Set<String> listed = new HashSet<>();
      objects.forEach(object -> listed.add(object.uid()));
      List<String> gone =
          nodes.values().stream()
              .filter(node -> node.type().equals(type) && !listed.contains(node.uid()))
              .map(GraphNode::uid)
              .toList();
      Set<String> look = new LinkedHashSet<>();
      gone.forEach(uid -> look.addAll(remove(uid)));
      objects.forEach(object -> look.addAll(put(GraphNode.of(type, object))));
      return look;
    } finally {
      lock.unlock();
    }
  }

  /// The kind is no longer watched: its objects are not gone, only unknown from now on.
  Set<String> forget(ResourceType type) {
    return replace(type, List.of());
  }

  private void forgetDependent(String owner, String dependent) {
    dependents.computeIfPresent(
        owner,
        (_, uids) -> {
          uids.remove(dependent);
          return uids.isEmpty() ? null : uids;
        });
  }

  private void lookIfWaiting(String owner, Set<String> look) {
    GraphNode node = nodes.get(owner);
    if (node != null && node.waitsForDependents()) {
      look.add(owner);
    }
  }

  Optional<GraphNode> find(String uid) {
    lock.lock();
    try {
      return Optional.ofNullable(nodes.get(uid));
    } finally {
      lock.unlock();
    }
  }

  List<GraphNode> dependents(String uid) {
    lock.lock();
    try {
      List<GraphNode> found = new ArrayList<>();
      for (String dependent : dependents.getOrDefault(uid, Set.of())) {
        GraphNode node = nodes.get(dependent);
        if (node != null) {
          found.add(node);
        }
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return nodes.size();
    } finally {
      lock.unlock();
    }
  }
}
