package dev.berth.server.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Formats composite values like Go's `%#v`, because upstream's messages contain them.
///
/// Only the types that appear in messages of served kinds are here; another one is added with its
/// rule and a recorded message of upstream.
public final class GoComposites {
  private GoComposites() {}

  /// `map[string]string{"a":"b"}`, with sorted keys.
  ///
  /// An empty map prints as nil, since normal form does not keep empty maps.
  public static String stringMap(JsonNode map) {
    if (map.isEmpty()) {
      return "map[string]string(nil)";
    }
    Map<String, String> sorted = new TreeMap<>();
    map.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asText()));
    List<String> entries = new ArrayList<>();
    sorted.forEach((key, value) -> entries.add(GoText.quote(key) + ":" + GoText.quote(value)));
    return "map[string]string{" + String.join(", ", entries) + "}";
  }

  /// `[]string{"a", "b"}`.
  public static String stringList(Iterable<String> values) {
    List<String> quoted = new ArrayList<>();
    values.forEach(value -> quoted.add(GoText.quote(value)));
    return "[]string{" + String.join(", ", quoted) + "}";
  }

  public static String stringList(JsonNode values) {
    return values.isMissingNode() ? "[]string(nil)" : stringList(strings(values));
  }

  public static List<String> strings(JsonNode values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(value.asText()));
    return texts;
  }

  public static String labelSelector(JsonNode selector) {
    List<String> requirements = new ArrayList<>();
    for (JsonNode requirement : selector.path("matchExpressions")) {
      requirements.add(
          "v1.LabelSelectorRequirement{Key:%s, Operator:%s, Values:%s}"
              .formatted(
                  text(requirement, "key"),
                  text(requirement, "operator"),
                  stringList(requirement.path("values"))));
    }
    String expressions =
        requirements.isEmpty() ? "(nil)" : "{" + String.join(", ", requirements) + "}";
    return "v1.LabelSelector{MatchLabels:%s, MatchExpressions:[]v1.LabelSelectorRequirement%s}"
        .formatted(stringMap(selector.path("matchLabels")), expressions);
  }

  /// `intstr.IntOrString{Type:1, IntVal:0, StrVal:"25%"}`.
  public static String intOrString(JsonNode value) {
    return value.isTextual()
        ? "intstr.IntOrString{Type:1, IntVal:0, StrVal:%s}".formatted(GoText.of(value))
        : "intstr.IntOrString{Type:0, IntVal:%d, StrVal:\"\"}".formatted(value.asLong());
  }

  /// `2026-01-01 00:00:00.5 +0000 UTC`; a time that is not set is Go's first one.
  public static String time(JsonNode time) {
    String text = time.isTextual() ? time.asText() : "0001-01-01T00:00:00Z";
    String plain = text.replace("Z", "").replace('T', ' ');
    return (plain.contains(".") ? plain.replaceFirst("\\.?0*$", "") : plain) + " +0000 UTC";
  }

  /// A text field as a Go string literal.
  public static String text(JsonNode object, String field) {
    return GoText.quote(object.path(field).asText());
  }
}
