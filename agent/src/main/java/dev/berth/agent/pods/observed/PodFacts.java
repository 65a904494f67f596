package dev.berth.agent.pods.observed;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The facts about one pod. Facts arrive in any order; states only move forward.
///
/// Not thread-safe: [ServiceView] holds the lock.
final class PodFacts {
  private record Seen<T>(T fact, long firstSeen) {}

  private final Map<String, Seen<ObservedSandbox>> sandboxes = new HashMap<>();
  private final Map<String, Seen<ObservedContainer>> containers = new HashMap<>();

  /// Ids that were removed: a late fact must not bring them back.
  private final Set<String> gone = new HashSet<>();

  private @Nullable ObservedPod shown;

  boolean isEmpty() {
    return sandboxes.isEmpty() && containers.isEmpty();
  }

  /// Whether nothing is known, and nothing was removed.
  boolean saysNothing() {
    return isEmpty() && gone.isEmpty();
  }

  ObservedPod show() {
    ObservedPod pod = shown;
    if (pod == null) {
      pod =
          new ObservedPod(
              sandboxes.values().stream().map(Seen::fact).toList(),
              containers.values().stream().map(Seen::fact).toList());
      shown = pod;
    }
    return pod;
  }

  Optional<ObservedContainer> container(String id) {
    return Optional.ofNullable(containers.get(id)).map(Seen::fact);
  }

  Optional<ObservedSandbox> sandbox(String id) {
    return Optional.ofNullable(sandboxes.get(id)).map(Seen::fact);
  }

  /// Adds a sandbox.
  ///
  /// @return whether that changed anything
  boolean put(ObservedSandbox sandbox, long tick) {
    Seen<ObservedSandbox> before = sandboxes.get(sandbox.id());
    if (gone.contains(sandbox.id())
        || (before != null
            && (before.fact().equals(sandbox)
                || (!before.fact().isReady() && sandbox.isReady())))) {
      return false;
    }
    sandboxes.put(sandbox.id(), new Seen<>(sandbox, before == null ? tick : before.firstSeen()));
    shown = null;
    return true;
  }

  boolean put(ObservedContainer container, long tick) {
    Seen<ObservedContainer> before = containers.get(container.id());
    if (gone.contains(container.id())
        || (before != null
            && (before.fact().equals(container)
                || before.fact().state().rank > container.state().rank))) {
      return false;
    }
    containers.put(
        container.id(), new Seen<>(container, before == null ? tick : before.firstSeen()));
    shown = null;
    return true;
  }

  /// Removes a sandbox and its containers.
  boolean removeSandbox(String id) {
    gone.add(id);
    boolean removed = sandboxes.remove(id) != null;
    Set<String> inside =
        containers.values().stream()
            .map(Seen::fact)
            .filter(container -> container.sandboxId().equals(id))
            .map(ObservedContainer::id)
            .collect(Collectors.toSet());
    inside.forEach(this::removeContainer);
    shown = null;
    return removed;
  }

  boolean removeContainer(String id) {
    gone.add(id);
    shown = null;
    return containers.remove(id) != null;
  }

  /// Merges a list that began at a tick; facts that are newer than that tick are not in the list.
  boolean merge(long begun, ObservedPod listed) {
    boolean changed = false;
    Set<String> present = new HashSet<>();
    for (ObservedSandbox sandbox : listed.sandboxes()) {
      present.add(sandbox.id());
      changed |= put(sandbox, begun);
    }
    for (ObservedContainer container : listed.containers()) {
      present.add(container.id());
      changed |= put(container, begun);
    }
    changed |= sandboxes.values().removeIf(seen -> isGone(seen, seen.fact().id(), begun, present));
    changed |= containers.values().removeIf(seen -> isGone(seen, seen.fact().id(), begun, present));
    // Facts older than this list cannot arrive any more, so only present ids matter.
    gone.retainAll(present);
    if (changed) {
      shown = null;
    }
    return changed;
  }

  private static boolean isGone(Seen<?> seen, String id, long begun, Set<String> present) {
    return seen.firstSeen() < begun && !present.contains(id);
  }
}
