package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controllers.workloads.GeneratedNames;
import dev.berth.controllers.workloads.WorkloadOwner;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Maps the templates of a DaemonSet to ControllerRevisions: creation, lookup, and the choice of
/// those to delete; pure. `kubectl rollout undo` reads the revisions, so their form is upstream's.
final class DaemonSetHistory {
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /// A name has at most 253 characters; upstream truncates the base to this length.
  private static final int LONGEST_BASE = 223;

  private static final Comparator<ObjectNode> BY_NUMBER =
      Comparator.comparingLong(DaemonSetHistory::number)
          .thenComparing(one -> one.at("/metadata/name").asText());

  private DaemonSetHistory() {}

  /// The strategic merge patch that restores the set's template. Upstream's controller and clients
  /// compare it byte by byte with theirs, whose keys are sorted.
  static ObjectNode data(JsonNode set) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    ObjectNode template = set.path("spec").path("template").deepCopy();
    template.put("$patch", "replace");
    data.putObject("spec").set("template", sorted(template));
    return data;
  }

  private static JsonNode sorted(JsonNode value) {
    if (value.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      value.forEach(one -> list.add(sorted(one)));
      return list;
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    value
        .propertyStream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(field -> object.set(field.getKey(), sorted(field.getValue())));
    return object;
  }

  static Optional<ObjectNode> find(JsonNode set, List<ObjectNode> revisions) {
    ObjectNode wanted = data(set);
    return revisions.stream().filter(one -> holds(one, wanted)).max(BY_NUMBER);
  }

  /// Whether the revision has that state. Null fields count as missing: kubectl omits them when a
  /// person restores revisions from a backup.
  static boolean holds(ObjectNode revision, ObjectNode data) {
    return withoutNulls(revision.path("data")).equals(withoutNulls(data));
  }

  private static JsonNode withoutNulls(JsonNode value) {
    if (value.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      value.forEach(one -> list.add(withoutNulls(one)));
      return list;
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    value
        .propertyStream()
        .filter(field -> !field.getValue().isNull())
        .forEach(field -> object.set(field.getKey(), withoutNulls(field.getValue())));
    return object;
  }

  /// A revision for the set's template, after all others.
  static ObjectNode make(WorkloadOwner set, List<ObjectNode> others) {
    String hash = hash(set.tree());
    ObjectNode revision = JsonNodeFactory.instance.objectNode();
    revision.put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
    ObjectNode metadata = revision.putObject("metadata");
    metadata.put("namespace", set.identity().key().namespace());
    metadata.put("name", base(set.identity().key().name()) + "-" + hash);
    ObjectNode labels = metadata.putObject("labels");
    set.tree()
        .at("/spec/template/metadata/labels")
        .propertyStream()
        .forEach(label -> labels.set(label.getKey(), label.getValue()));
    labels.put(DaemonSets.HASH, hash);
    // The annotations include the change cause that `kubectl rollout history` shows.
    ObjectNode annotations = metadata.putObject("annotations");
    set.tree()
        .at("/metadata/annotations")
        .propertyStream()
        .filter(one -> !one.getKey().equals(LAST_APPLIED))
        .forEach(one -> annotations.set(one.getKey(), one.getValue()));
    metadata.putArray("ownerReferences").add(set.reference());
    revision.set("data", data(set.tree()));
    revision.put("revision", next(others));
    return revision;
  }

  /// Truncated, so that a name of maximum length leaves room for the hash.
  private static String base(String name) {
    return name.substring(0, Math.min(name.length(), LONGEST_BASE));
  }

  /// The template hash in the labels of the set's pods, unless a revision has another one.
  static String hash(JsonNode set) {
    return GeneratedNames.hash(
        set.path("spec").path("template"), set.path("status").path("collisionCount").asInt());
  }

  static String hashOf(ObjectNode revision) {
    return revision.path("metadata").path("labels").path(DaemonSets.HASH).asText();
  }

  static long number(ObjectNode revision) {
    return revision.path("revision").asLong();
  }

  /// The number of the next revision.
  static long next(List<ObjectNode> revisions) {
    return 1 + revisions.stream().mapToLong(DaemonSetHistory::number).max().orElse(0);
  }

  /// The oldest revisions without pods beyond the number to keep.
  ///
  /// @param old all revisions but that of the current template
  static List<ObjectNode> forgotten(List<ObjectNode> old, Set<String> used, int limit) {
    return old.stream()
        .sorted(BY_NUMBER)
        .filter(one -> !used.contains(hashOf(one)))
        .limit(Math.max(0, old.size() - limit))
        .toList();
  }
}
