package dev.berth.server.auth.nodes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.nodes.PodReferences.Reference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Knows which objects a node may read because pods bound to it refer to them, or because they are
/// volume attachments to it.
///
/// An informer applies changes of pods and attachments; a decision may lag behind by moments, after
/// which the node's retry succeeds. A decision takes no lock and costs two map lookups.
public final class NodeGraph {
  private record ObjectPlace(String node, Set<Reference> references) {}

  /// Guards changes of both maps together; readers only use the concurrent one.
  private final ReentrantLock changes = new ReentrantLock();

  /// Pods and attachments that are on a node.
  private final Map<Reference, ObjectPlace> places = new ConcurrentHashMap<>();

  /// How many pods and attachments of a node refer to an object, by node.
  private final Map<String, Map<Reference, Integer>> counts = new ConcurrentHashMap<>();

  /// Adds or replaces a pod.
  public void put(ObjectNode pod) {
    String namespace = pod.at("/metadata/namespace").asText("");
    String name = pod.at("/metadata/name").asText("");
    String node = pod.at("/spec/nodeName").asText("");
    replace(
        new Reference("pods", namespace, name),
        node.isEmpty() ? null : new ObjectPlace(node, references(namespace, name, pod)));
  }

  /// Removes a deleted pod.
  public void remove(String namespace, String name) {
    replace(new Reference("pods", namespace, name), null);
  }

  /// Adds or replaces a VolumeAttachment.
  public void putAttachment(ObjectNode attachment) {
    Reference self = attachment(attachment.at("/metadata/name").asText(""));
    String node = attachment.at("/spec/nodeName").asText("");
    replace(self, node.isEmpty() ? null : new ObjectPlace(node, Set.of(self)));
  }

  /// Removes a deleted VolumeAttachment.
  public void removeAttachment(String name) {
    replace(attachment(name), null);
  }

  private static Reference attachment(String name) {
    return new Reference("volumeattachments", "", name);
  }

  boolean relates(String node, String plural, String namespace, String name) {
    Map<Reference, Integer> ofNode = counts.get(node);
    return ofNode != null && ofNode.containsKey(new Reference(plural, namespace, name));
  }

  private void replace(Reference object, @Nullable ObjectPlace place) {
    changes.lock();
    try {
      ObjectPlace before = place == null ? places.remove(object) : places.put(object, place);
      if (place != null) {
        if (place.equals(before)) {
          return;
        }
        Map<Reference, Integer> ofNode =
            counts.computeIfAbsent(place.node(), _ -> new ConcurrentHashMap<>());
        // New references are counted before old ones are released, so that an object which both
        // have never is inaccessible.
        place.references().forEach(reference -> ofNode.merge(reference, 1, Integer::sum));
      }
      if (before != null) {
        release(before);
      }
    } finally {
      changes.unlock();
    }
  }

  private void release(ObjectPlace before) {
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
