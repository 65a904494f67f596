package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorSyntaxException;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Berth's annotations of a RuntimeClass; docs/runtime-classes.md has an example of each.
///
/// Reading never fails, because a class may be older than a rule: an invalid selector of a stored
/// class allows nobody. `check` reports errors when a class is written.
///
/// @param namespaces names of the namespaces that may use the class; every namespace if this and
///   `namespaceLabels` are empty
/// @param provides properties that pods can request, with "" for those without a value
/// @param unsupported features that pods of the class cannot use
/// @param legacy older runtime annotations of pods that are mapped to this class
public record RuntimeClassPolicy(
    String name,
    String handler,
    boolean isDefault,
    Set<String> namespaces,
    String namespaceLabels,
    Map<String, String> provides,
    Set<String> unsupported,
    Map<String, String> legacy) {
  private static final String PREFIX = "runtimeclass.berth.dev/";
  static final String IS_DEFAULT = PREFIX + "is-default-class";
  static final String ALLOWED_NAMESPACES = PREFIX + "allowed-namespaces";
  static final String ALLOWED_LABELS = PREFIX + "allowed-namespace-selector";
  static final String PROVIDES = PREFIX + "provides";
  static final String UNSUPPORTED = PREFIX + "unsupported";
  static final String LEGACY = PREFIX + "legacy-annotations";

  /// The scheduler reads this annotation.
  private static final String SCHEDULING = PREFIX + "scheduling";

  private static final List<String> SCHEDULINGS = List.of("offered", "selector");

  public static RuntimeClassPolicy of(ObjectNode runtimeClass) {
    JsonNode annotations = runtimeClass.path("metadata").path("annotations");
    return new RuntimeClassPolicy(
        runtimeClass.path("metadata").path("name").asText(),
        runtimeClass.path("handler").asText(),
        annotations.path(IS_DEFAULT).asText().equals("true"),
        words(annotations.path(ALLOWED_NAMESPACES).asText()).keySet(),
        annotations.path(ALLOWED_LABELS).asText().strip(),
        words(annotations.path(PROVIDES).asText()),
        words(annotations.path(UNSUPPORTED).asText()).keySet(),
        words(annotations.path(LEGACY).asText()));
  }

  /// Parses `a=b, c` into a map ordered by key; a key without a value has "".
  static Map<String, String> words(String text) {
    Map<String, String> words = new TreeMap<>();
    for (String part : text.split(",", -1)) {
      String word = part.strip();
      int equals = word.indexOf('=');
      if (!word.isEmpty()) {
        words.put(
            equals < 0 ? word : word.substring(0, equals).strip(),
            equals < 0 ? "" : word.substring(equals + 1).strip());
      }
    }
    return Collections.unmodifiableMap(words);
  }

  /// The inverse of {@link #words}: `isolation=vm, userNamespaces`.
  static String text(Map<String, String> words) {
    return String.join(
        ", ",
        words.entrySet().stream()
            .map(word -> word.getKey() + (word.getValue().isEmpty() ? "" : "=" + word.getValue()))
            .toList());
  }

  /// Whether a namespace with these labels may use the class.
  public boolean allows(String namespace, Map<String, String> labels) {
    boolean open = namespaces.isEmpty() && namespaceLabels.isEmpty();
    return open || namespaces.contains(namespace) || matches(labels);
  }

  private boolean matches(Map<String, String> labels) {
    try {
      return !namespaceLabels.isEmpty() && LabelSelector.parse(namespaceLabels).matches(labels);
    } catch (SelectorSyntaxException e) {
      // Validation rejects an invalid selector; an older stored one allows nobody.
      return false;
    }
  }

  /// The allowed namespaces, for messages.
  String allowedText() {
    String names =
        namespaces.isEmpty() ? "" : "namespaces " + String.join(", ", new TreeSet<>(namespaces));
    String labels = namespaceLabels.isEmpty() ? "" : "namespaces labelled " + namespaceLabels;
    return names.isEmpty() || labels.isEmpty() ? names + labels : names + " and " + labels;
  }

  /// Adds every error in the annotations of a class.
  static void check(ObjectNode runtimeClass, FieldErrors errors) {
    JsonNode annotations = runtimeClass.path("metadata").path("annotations");
    FieldPath path = FieldPath.of("metadata").child("annotations");
    String isDefault = annotations.path(IS_DEFAULT).asText("");
    if (!List.of("", "true", "false").contains(isDefault)) {
      errors.notSupported(path.key(IS_DEFAULT), isDefault, List.of("true", "false"));
    }
    String scheduling = annotations.path(SCHEDULING).asText("");
    if (!scheduling.isEmpty() && !SCHEDULINGS.contains(scheduling)) {
      errors.notSupported(path.key(SCHEDULING), scheduling, SCHEDULINGS);
    }
    String labels = annotations.path(ALLOWED_LABELS).asText("");
    try {
      LabelSelector.parse(labels);
    } catch (SelectorSyntaxException e) {
      errors.invalid(path.key(ALLOWED_LABELS), labels, String.valueOf(e.getMessage()));
    }
    for (String word : words(annotations.path(UNSUPPORTED).asText()).keySet()) {
      if (!PodRuntimeDemands.KNOWN.contains(word)) {
        errors.notSupported(path.key(UNSUPPORTED), word, PodRuntimeDemands.KNOWN);
      }
    }
    words(annotations.path(LEGACY).asText())
        .forEach(
            (key, value) -> {
              if (value.isEmpty()) {
                errors.invalid(path.key(LEGACY), key, "must be key=value, as in the pods it means");
              }
            });
  }
}
