package dev.berth.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.Collectors;

/// The forms that a field of the configuration file can have, and how each becomes the text that
/// its flag takes.
enum ConfigShape {
  TEXT("text"),
  NUMBER("a number"),

  /// A number of which zero stands for the default.
  COUNT("a number"),
  BOOLEAN("true or false"),
  ADDRESSES("a list of addresses"),
  PATTERNS("a list such as [kernel.msg*]"),
  AMOUNTS("a map such as {cpu: 500m}"),
  TIMES("a map such as {memory.available: 1m30s}"),
  RECLAIMS("a map such as {memory.available: 100Mi}"),
  THRESHOLDS("a map such as {memory.available: 100Mi}"),
  TAINTS("a list such as [{key: gpu, value: \"yes\", effect: NoSchedule}]");

  private final String words;

  ConfigShape(String words) {
    this.words = words;
  }

  /// What the field must be, for messages.
  String words() {
    return words;
  }

  /// Whether the kubelet replaces zero (`0s`, `0`, an empty text) by the default of the field.
  boolean zeroIsDefault() {
    return this == TEXT || this == COUNT;
  }

  /// The text that the flag takes; empty for a value of another form.
  Optional<String> text(JsonNode value) {
    return switch (this) {
      case TEXT -> scalar(value, value.isTextual());
      case NUMBER, COUNT -> scalar(value, value.isIntegralNumber());
      case BOOLEAN -> scalar(value, value.isBoolean());
      case ADDRESSES, PATTERNS -> list(value);
      case AMOUNTS, TIMES, RECLAIMS -> map(value, "=");
      case THRESHOLDS -> map(value, "<");
      case TAINTS -> taints(value);
    };
  }

  private static Optional<String> scalar(JsonNode value, boolean fits) {
    return fits ? Optional.of(value.asText()) : Optional.empty();
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
