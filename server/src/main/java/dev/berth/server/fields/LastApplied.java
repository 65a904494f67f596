package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Handles the annotation of client-side `kubectl apply` for migration to server-side apply and
/// back.
///
/// kubectl keeps the annotation only for client-side apply. It must not outlive a change by
/// server-side apply, or a later client-side apply would compute its patch from an old
/// configuration.
final class LastApplied {
  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
  private static final String KUBECTL = "kubectl";

  /// The limit of all annotations together. Above it the annotation is removed, because the object
  /// would be rejected.
  private static final int MAX_ANNOTATIONS = 256 << 10;

  private LastApplied() {}

  /// Removes kubectl's conflicts with its own client-side apply: fields that it applied before and
  /// that still have that value. All or nothing: when others remain, all conflicts are reported.
  static Map<ManagerKey, FieldSet> withoutOwn(
      Map<ManagerKey, FieldSet> conflicts, WriteContext context, ObjectNode live) {
    FieldSet own =
        conflicts.isEmpty() || !context.manager().equals(KUBECTL)
            ? FieldSet.EMPTY
            : unchanged(context, live);
    Map<ManagerKey, FieldSet> others = new TreeMap<>();
    conflicts.forEach(
        (manager, fields) -> {
          FieldSet rest = fields.difference(own);
          if (!rest.isEmpty()) {
            others.put(manager, rest);
          }
        });
    return others;
  }

  /// An annotation that does not fit the type is treated as absent, so that conflicts are reported
  /// as usual.
  private static FieldSet unchanged(WriteContext context, ObjectNode live) {
    ObjectNode config = parse(text(live));
    // An annotation of another version, or one that somebody edited by hand, proves nothing about
    // the ownership of fields.
    boolean usable =
        config != null
            && config.path("apiVersion").asText().equals(context.apiVersion())
            && TypeCheck.errors(context.type(), config).isEmpty();
    if (config == null || !usable) {
      return FieldSet.EMPTY;
    }
    try {
      ObjectComparison difference = ObjectComparison.of(context.type(), config, live);
      return FieldSets.of(context.type(), config)
          .difference(difference.modified())
          .difference(difference.added())
          .difference(difference.removed());
    } catch (UnkeyedException _) {
      return FieldSet.EMPTY;
    }
  }

  private static @Nullable ObjectNode parse(String text) {
    try {
      JsonNode tree = JsonTrees.parse(text.getBytes(StandardCharsets.UTF_8)).tree();
      return tree instanceof ObjectNode object ? object : null;
    } catch (JsonSyntaxException _) {
      return null;
    }
  }

  private static String text(ObjectNode object) {
    return object.path("metadata").path("annotations").path(ANNOTATION).asText("");
  }

  /// Updates the annotation so that kubectl can return to client-side apply; only if the object has
  /// the annotation and kubectl applied.
  ///
  /// The text has the form that kubectl writes: fields sorted, the annotation left out of its own
  /// value, a newline at the end.
  static ObjectNode refreshed(ObjectNode object, ObjectNode applied, WriteContext context) {
    if (!context.manager().equals(KUBECTL) || text(object).isEmpty()) {
      return object;
    }
    ObjectNode annotations = JsonValues.shallowCopy(object.path("metadata").path("annotations"));
    annotations.put(ANNOTATION, configuration(applied));
    int size = 0;
    for (Map.Entry<String, JsonNode> entry : annotations.properties()) {
      size += bytes(entry.getKey()) + bytes(entry.getValue().asText());
    }
    if (size > MAX_ANNOTATIONS) {
      annotations.remove(ANNOTATION);
    }
    ObjectNode metadata = JsonValues.shallowCopy(object.path("metadata"));
    metadata.set("annotations", annotations);
    return JsonValues.shallowCopy(object).set("metadata", metadata);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String configuration(ObjectNode applied) {
    ObjectNode config = applied.deepCopy();
    if (config.path("metadata").get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(ANNOTATION);
    }
    return new String(JsonTrees.bytes(sorted(config)), StandardCharsets.UTF_8) + "\n";
  }

  private static JsonNode sorted(JsonNode value) {
    if (value instanceof ArrayNode array) {
      ArrayNode items = JsonTrees.array();
      array.forEach(item -> items.add(sorted(item)));
      return items;
    }
    if (value instanceof ObjectNode object) {
      Map<String, JsonNode> fields = new TreeMap<>();
      object.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
      return JsonTrees.object().setAll(fields);
    }
    return value;
  }
}
