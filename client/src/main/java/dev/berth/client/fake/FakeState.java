package dev.berth.client.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The fake server's objects and the rules of the API that loops depend on: revisions, conflicts,
/// finalizers, deletion, namespaces.
///
/// Not thread-safe; the owner locks.
///
/// Stored objects are never changed after their commit, so events and lists may share them.
final class FakeState {
  /// What a watch reports.
  record Event(long revision, ResourceType type, String verb, ObjectNode object) {}

  private final InstantSource clock;
  private final Consumer<Event> onEvent;
  private final Map<String, Map<ObjectKey, ObjectNode>> objects = new TreeMap<>();
  private final List<Event> history = new ArrayList<>();
  // Above zero, which in a request means any state.
  private long revision = 1;
  private long uids;
  private long forgottenUpTo;

  FakeState(InstantSource clock, Consumer<Event> onEvent) {
    this.clock = clock;
    this.onEvent = onEvent;
  }

  long revision() {
    return revision;
  }

  /// Events after a revision, or nothing when they are no longer known.
  Optional<List<Event>> eventsAfter(long since) {
    return since < forgottenUpTo
        ? Optional.empty()
        : Optional.of(history.stream().filter(event -> event.revision() > since).toList());
  }

  void forgetHistory() {
    history.clear();
    forgottenUpTo = revision;
  }

  Map<ObjectKey, ObjectNode> of(ResourceType type) {
    return objects.computeIfAbsent(type.qualifiedPlural(), _ -> new TreeMap<>());
  }

  ObjectNode get(ResourceType type, ObjectKey key) {
    ObjectNode found = of(type).get(key);
    if (found == null) {
      throw FakeRefusal.notFound(type.qualifiedPlural(), key.name());
    }
    return found;
  }

  ObjectNode create(ResourceType type, ObjectNode object) {
    ObjectKey key = key(object);
    requireOpenNamespace(type, key);
    if (of(type).containsKey(key)) {
      throw new FakeRefusal(
          409,
          "AlreadyExists",
          key.name(),
          "%s \"%s\" already exists".formatted(type.qualifiedPlural(), key.name()));
    }
    ObjectNode created = object.deepCopy();
    created.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    ObjectNode metadata = metadata(created);
    metadata.put("uid", "uid-" + ++uids).put("creationTimestamp", now());
    metadata.remove("deletionTimestamp");
    if (type.equals(ResourceType.NAMESPACES)) {
      created.putObject("spec").putArray("finalizers").add("kubernetes");
      created.putObject("status").put("phase", "Active");
    }
    return commit(type, key, "ADDED", created);
  }

  private void requireOpenNamespace(ResourceType type, ObjectKey key) {
    if (!type.namespaced()) {
      return;
    }
    ObjectNode namespace = get(ResourceType.NAMESPACES, ObjectKey.clusterScoped(key.namespace()));
    if (metadata(namespace).has("deletionTimestamp")) {
      throw new FakeRefusal(
              403,
              "Forbidden",
              key.name(),
              "%s \"%s\" is forbidden: unable to create new content in namespace %s because it is being terminated"
                  .formatted(type.qualifiedPlural(), key.name(), key.namespace()))
          .withCause("NamespaceTerminating");
    }
  }

  ObjectNode replace(ResourceType type, ObjectNode wanted) {
    ObjectKey key = key(wanted);
    ObjectNode live = get(type, key);
    requireSame(type, key, live, wanted);
    ObjectNode next = wanted.deepCopy();
    next.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    for (String field : List.of("uid", "creationTimestamp", "deletionTimestamp")) {
      metadata(next).remove(field);
      if (metadata(live).has(field)) {
        metadata(next).set(field, metadata(live).get(field));
      }
    }
    metadata(next).set("resourceVersion", metadata(live).get("resourceVersion"));
    // No event: a loop that writes what is there already must not wake itself.
    if (next.equals(live)) {
      return live;
    }
    if (isReadyToGo(type, next)) {
      return remove(type, key, next);
    }
    return commit(type, key, "MODIFIED", next);
  }

  private static void requireSame(
      ResourceType type, ObjectKey key, ObjectNode live, ObjectNode wanted) {
    for (String field : List.of("uid", "resourceVersion")) {
      JsonNode expected = metadata(wanted).path(field);
      if (!expected.asText().isEmpty() && !expected.equals(metadata(live).path(field))) {
        throw FakeRefusal.conflict(
            type.qualifiedPlural(),
            key.name(),
            "the object has been modified; please apply your changes to the latest version and try"
                + " again");
      }
    }
  }

  ObjectNode delete(ResourceType type, ObjectKey key, JsonNode options) {
    ObjectNode live = get(type, key);
    JsonNode preconditions = options.path("preconditions");
    for (String field : List.of("uid", "resourceVersion")) {
      if (preconditions.has(field) && !preconditions.get(field).equals(metadata(live).get(field))) {
        throw FakeRefusal.conflict(type.kind(), key.name(), "the precondition does not match");
      }
    }
    ObjectNode next = live.deepCopy();
    addPropagationFinalizer(next, options.path("propagationPolicy").asText());
    // A bound pod waits for its agent, as at the real server.
    boolean gracefully =
        type.equals(ResourceType.PODS)
            && next.path("spec").has("nodeName")
            && options.path("gracePeriodSeconds").asInt(30) > 0;
    if (!gracefully && isFree(type, next)) {
      return remove(type, key, next);
    }
    if (!metadata(next).has("deletionTimestamp")) {
      metadata(next).put("deletionTimestamp", now());
    }
    if (gracefully) {
      int standard = next.path("spec").path("terminationGracePeriodSeconds").asInt(30);
      int grace = options.path("gracePeriodSeconds").asInt(standard);
      int before = metadata(next).path("deletionGracePeriodSeconds").asInt(grace);
      metadata(next).put("deletionGracePeriodSeconds", Math.min(grace, before));
    }
    if (type.equals(ResourceType.NAMESPACES)) {
      next.withObject("/status").put("phase", "Terminating");
    }
    return next.equals(live) ? live : commit(type, key, "MODIFIED", next);
  }

  private static void addPropagationFinalizer(ObjectNode object, String policy) {
    List<String> finalizers = new ArrayList<>(finalizers(object));
    finalizers.removeAll(List.of("orphan", "foregroundDeletion"));
    switch (policy) {
      case "Orphan" -> finalizers.add("orphan");
      case "Foreground" -> finalizers.add("foregroundDeletion");
      case "Background" -> {
        // Neither finalizer: that is what background means.
      }
      default -> finalizers = finalizers(object);
    }
    metadata(object).remove("finalizers");
    if (!finalizers.isEmpty()) {
      ArrayNode array = metadata(object).putArray("finalizers");
      finalizers.forEach(array::add);
    }
  }

  /// A bound pod also waits for its agent, which removes it by a deletion without grace.
  private static boolean isReadyToGo(ResourceType type, ObjectNode object) {
    return metadata(object).has("deletionTimestamp")
        && isFree(type, object)
        && !(type.equals(ResourceType.PODS) && object.path("spec").has("nodeName"));
  }

  private static boolean isFree(ResourceType type, ObjectNode object) {
    return finalizers(object).isEmpty()
        && (!type.equals(ResourceType.NAMESPACES)
            || object.path("spec").path("finalizers").isEmpty());
  }

  private ObjectNode commit(ResourceType type, ObjectKey key, String verb, ObjectNode object) {
    metadata(object).put("resourceVersion", Long.toString(++revision));
    of(type).put(key, object);
    record(new Event(revision, type, verb, object));
    return object;
  }

  private ObjectNode remove(ResourceType type, ObjectKey key, ObjectNode object) {
    metadata(object).put("resourceVersion", Long.toString(++revision));
    of(type).remove(key);
    record(new Event(revision, type, "DELETED", object));
    return object;
  }

  private void record(Event event) {
    history.add(event);
    onEvent.accept(event);
  }

  static ObjectKey key(ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  private static ObjectNode metadata(ObjectNode object) {
    return object.withObject("/metadata");
  }

  private static List<String> finalizers(ObjectNode object) {
    List<String> names = new ArrayList<>();
    object.path("metadata").path("finalizers").forEach(name -> names.add(name.asText()));
    return names;
  }

  private String now() {
    return clock.instant().truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
  }
}
