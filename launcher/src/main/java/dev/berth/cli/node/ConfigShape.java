package dev.berth.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The forms that a field of the configuration file can have, and how each becomes the text that
/// its flag takes.
enum ConfigShape {
  TEXT("text", value -> value.isTextual() ? Optional.of(value.asText()) : Optional.empty()),
  NUMBER(
      "a number",
      value -> value.isIntegralNumber() ? Optional.of(value.asText()) : Optional.empty()),
  BOOLEAN(
      "true or false", value -> value.isBoolean() ? Optional.of(value.asText()) : Optional.empty()),
  ADDRESSES("a list of addresses", ConfigShape::list),
  PATTERNS("a list such as [kernel.msg*]", ConfigShape::list),
  AMOUNTS("a map such as {cpu: 500m}", value -> map(value, "=")),
  TIMES("a map such as {memory.available: 1m30s}", value -> map(value, "=")),
  RECLAIMS("a map such as {memory.available: 100Mi}", value -> map(value, "=")),
  THRESHOLDS("a map such as {memory.available: 100Mi}", value -> map(value, "<")),
  TAINTS("a list such as [{key: gpu, value: \"yes\", effect: NoSchedule}]", ConfigShape::taints);

  private final String words;
  private final Function<JsonNode, Optional<String>> reader;

  ConfigShape(String words, Function<JsonNode, Optional<String>> reader) {
    this.words = words;
    this.reader = reader;
  }

  /// What the field must be, for messages.
  String words() {
    return words;
  }

  /// The text that the flag takes; empty for a value of another form.
  Optional<String> text(JsonNode value) {
    return reader.apply(value);
  }

  private static Optional<String> list(JsonNode value) {
    return value.isArray()
        ? Optional.of(value.valueStream().map(JsonNode::asText).collect(Collectors.joining(",")))
        : Optional.empty();
  }

  private static Optional<String> map(JsonNode value, String sign) {
    return value.isObject()
        ? Optional.of(
            value
                .propertyStream()
                .map(entry -> entry.getKey() + sign + entry.getValue().asText())
                .collect(Collectors.joining(",")))
        : Optional.empty();
  }

  private static Optional<String> taints(JsonNode value) {
    return value.isArray()
        ? Optional.of(value.valueStream().map(ConfigShape::taint).collect(Collectors.joining(",")))
        : Optional.empty();
  }

  private static String taint(JsonNode taint) {
    return "%s=%s:%s"
        .formatted(
            taint.path("key").asText(),
            taint.path("value").asText(),
            taint.path("effect").asText());
  }
}
