package dev.berth.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which objects a node may see because pods bound to it refer to them.
public final class NodeGraph {
  /// An object that a pod needs on its node.
  record Reference(String plural, String namespace, String name) {}

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

  private void replace(String pod, @org.jspecify.annotations.Nullable PodPlace place) {
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

  private static Set<Reference> references(String namespace, String pod, ObjectNode object) {
    JsonNode spec = object.path("spec");
    Stream<Reference> itself = Stream.of(new Reference("pods", namespace, pod));
    Stream<Reference> account =
        named("serviceaccounts", namespace, spec.path("serviceAccountName"));
    Stream<Reference> pullSecrets =
        spec.path("imagePullSecrets")
            .valueStream()
            .flatMap(secret -> named("secrets", namespace, secret.path("name")));
    Stream<Reference> volumes =
        spec.path("volumes").valueStream().flatMap(volume -> ofVolume(namespace, volume));
    Stream<Reference> containers =
        Stream.of("containers", "initContainers", "ephemeralContainers")
            .flatMap(list -> spec.path(list).valueStream())
            .flatMap(container -> ofContainer(namespace, container));
    return Stream.of(itself, account, pullSecrets, volumes, containers)
        .flatMap(part -> part)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<Reference> ofVolume(String namespace, JsonNode volume) {
    Stream<Reference> direct =
        Stream.concat(
            named("secrets", namespace, volume.at("/secret/secretName")),
            named("configmaps", namespace, volume.at("/configMap/name")));
    Stream<Reference> projected =
        volume
            .at("/projected/sources")
            .valueStream()
            .flatMap(
                source ->
                    Stream.concat(
                        named("secrets", namespace, source.at("/secret/name")),
                        named("configmaps", namespace, source.at("/configMap/name"))));
    return Stream.concat(direct, projected);
  }

  private static Stream<Reference> ofContainer(String namespace, JsonNode container) {
    Stream<Reference> whole =
        container
            .path("envFrom")
            .valueStream()
            .flatMap(
                source ->
                    Stream.concat(
                        named("secrets", namespace, source.at("/secretRef/name")),
                        named("configmaps", namespace, source.at("/configMapRef/name"))));
    Stream<Reference> single =
        container
            .path("env")
            .valueStream()
            .flatMap(
                variable ->
                    Stream.concat(
                        named("secrets", namespace, variable.at("/valueFrom/secretKeyRef/name")),
                        named(
                            "configmaps",
                            namespace,
                            variable.at("/valueFrom/configMapKeyRef/name"))));
    return Stream.concat(whole, single);
  }

  private static Stream<Reference> named(String plural, String namespace, JsonNode name) {
    return name.isTextual()
        ? Stream.of(new Reference(plural, namespace, name.textValue()))
        : Stream.empty();
  }
}
