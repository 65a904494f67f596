package dev.berth.agent.pods.observed;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What is known of one pod; facts are added in any order and only ever go on.
///
/// Not thread-safe; the view locks.
final class PodFacts {
  private record Seen<T>(T fact, long firstSeen) {}

  private final Map<String, Seen<ObservedSandbox>> sandboxes = new HashMap<>();
  private final Map<String, Seen<ObservedContainer>> containers = new HashMap<>();

  /// What was seen to be gone does not come back.
  private final Set<String> gone = new HashSet<>();

  private @Nullable ObservedPod shown;

  boolean isEmpty() {
    return sandboxes.isEmpty() && containers.isEmpty();
  }

  /// Whether it says no more than that nothing is known.
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

  /// Whether it was news.
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

  /// Its containers go with it.
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

  /// Takes in a list that was begun at a tick: what came to be known later is not in it.
  boolean merge(long begun, ObservedPod listed) {
    boolean news = false;
    Set<String> present = new HashSet<>();
    for (ObservedSandbox sandbox : listed.sandboxes()) {
      present.add(sandbox.id());
      news |= put(sandbox, begun);
    }
    for (ObservedContainer container : listed.containers()) {
      present.add(container.id());
      news |= put(container, begun);
    }
    news |= sandboxes.values().removeIf(seen -> isGone(seen, seen.fact().id(), begun, present));
    news |= containers.values().removeIf(seen -> isGone(seen, seen.fact().id(), begun, present));
    // Nothing older than this list can arrive any more that was gone before it.
    gone.retainAll(present);
    if (news) {
      shown = null;
    }
    return news;
  }

  private static boolean isGone(Seen<?> seen, String id, long begun, Set<String> present) {
    return seen.firstSeen() < begun && !present.contains(id);
  }
}
