package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.PodReferences.Reference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which objects a node may see because pods bound to it refer to them.
public final class NodeGraph {
  private record PodPlace(String node, Set<Reference> references) {}

  /// Guards changes of both maps together; readers only use the concurrent one.
  private final ReentrantLock changes = new ReentrantLock();

  /// By `namespace/name` of the pod.
  private final Map<String, PodPlace> pods = new ConcurrentHashMap<>();

  /// How many pods of a node refer to an object, by node.
  private final Map<String, Map<Reference, Integer>> counts = new ConcurrentHashMap<>();

  /// Takes over a pod as it is now.
  public void put(ObjectNode pod) {
    String namespace = pod.at("/metadata/namespace").asText("");
    String name = pod.at("/metadata/name").asText("");
    String node = pod.at("/spec/nodeName").asText("");
    replace(
        namespace + "/" + name,
        node.isEmpty() ? null : new PodPlace(node, references(namespace, name, pod)));
  }

  /// Forgets a pod that is gone.
  public void remove(String namespace, String name) {
    replace(namespace + "/" + name, null);
  }

  boolean relates(String node, String plural, String namespace, String name) {
    Map<Reference, Integer> ofNode = counts.get(node);
    return ofNode != null && ofNode.containsKey(new Reference(plural, namespace, name));
  }

  private void replace(String pod, @Nullable PodPlace place) {
    changes.lock();
    try {
      PodPlace before = place == null ? pods.remove(pod) : pods.put(pod, place);
      if (place != null) {
        if (place.equals(before)) {
          return;
        }
        Map<Reference, Integer> ofNode =
            counts.computeIfAbsent(place.node(), _ -> new ConcurrentHashMap<>());
        place.references().forEach(reference -> ofNode.merge(reference, 1, Integer::sum));
      }
      if (before != null) {
        release(before);
      }
    } finally {
      changes.unlock();
    }
  }

  private void release(PodPlace before) {
    Map<Reference, Integer> ofNode = counts.get(before.node());
    if (ofNode != null) {
      for (Reference reference : before.references()) {
        ofNode.computeIfPresent(reference, (_, count) -> count == 1 ? null : count - 1);
      }
      if (ofNode.isEmpty()) {
        counts.remove(before.node());
      }
    }
  }

  private static Set<Reference> references(String namespace, String name, ObjectNode pod) {
    return Stream.concat(
            Stream.of(new Reference("pods", namespace, name)), PodReferences.of(namespace, pod))
        .collect(Collectors.toUnmodifiableSet());
  }
}
