package dev.berth.sim.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.api.Quantity;
import dev.berth.sim.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The fields of one object. A reader asks for each field that it knows; `end` reports the other
/// fields as mistakes, so that a misspelled field never has no effect.
///
/// A field that cannot be read is reported and replaced by its default, so that reading goes on and
/// finds the other mistakes.
final class ConfigFields {
  private final JsonNode node;
  private final String place;
  private final ConfigErrors mistakes;
  private final Set<String> known = new TreeSet<>();

  ConfigFields(JsonNode node, String place, ConfigErrors mistakes) {
    this.node = node.isObject() ? node : MissingNode.getInstance();
    this.place = place;
    this.mistakes = mistakes;
    if (!node.isObject() && !node.isMissingNode() && !node.isNull()) {
      mistakes.add(place, "must be an object, not " + shown(node));
    }
  }

  String text(String key, String otherwise) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isValueNode()) {
      mistake(key, "must be a text, not " + shown(value));
      return otherwise;
    }
    return value.asText();
  }

  Duration duration(String key, Duration otherwise) {
    return parsed(key, DurationText.SYNTAX, DurationText::parse).orElse(otherwise);
  }

  /// Reads a size in bytes, such as `10Mi`.
  long bytes(String key, long otherwise) {
    return parsed(key, "a size such as 512Ki, 10Mi or 1G", ConfigFields::size).orElse(otherwise);
  }

  long count(String key, long otherwise, long least) {
    return parsed(key, "a whole number from " + least, text -> number(text, least))
        .orElse(otherwise);
  }

  double fraction(String key, double otherwise) {
    return parsed(key, "a number from 0 to 1", ConfigFields::fraction).orElse(otherwise);
  }

  boolean flag(String key, boolean otherwise) {
    return parsed(
            key,
            "true or false",
            text ->
                text.equals("true") || text.equals("false")
                    ? Optional.of(text.equals("true"))
                    : Optional.empty())
        .orElse(otherwise);
  }

  /// Reads a field with a parser of its own; empty when the field is absent. A value that cannot be
  /// read is a mistake.
  <T> Optional<T> parsed(String key, String accepted, Reader<T> reader) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    Optional<T> read = value.isValueNode() ? reader.read(value.asText()) : Optional.empty();
    if (read.isEmpty()) {
      mistake(key, shown(value) + " is not " + accepted);
    }
    return read;
  }

  /// Parses a text; empty when the text is not of its kind.
  interface Reader<T> {
    Optional<T> read(String text);
  }

  boolean has(String key) {
    return !value(key).isMissingNode();
  }

  ConfigFields object(String key) {
    return new ConfigFields(value(key), inside(key), mistakes);
  }

  /// Reads a list of objects. One object counts as a list of one.
  List<ConfigFields> objects(String key) {
    return items(value(key), inside(key));
  }

  /// Reads a node that is a list of objects, or one object, as a whole.
  static List<ConfigFields> list(JsonNode node, String place, ConfigErrors mistakes) {
    return new ConfigFields(MissingNode.getInstance(), place, mistakes).items(node, place);
  }

  /// The objects of a list with their places in it, so that a mistake names its entry.
  private List<ConfigFields> items(JsonNode value, String where) {
    List<ConfigFields> items = new ArrayList<>();
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        items.add(new ConfigFields(value.get(i), where + "[" + i + "]", mistakes));
      }
    } else if (!value.isMissingNode()) {
      items.add(new ConfigFields(value, where, mistakes));
    }
    return items;
  }

  /// Reads a list of texts. One text counts as a list of one.
  List<String> texts(String key) {
    JsonNode value = value(key);
    List<String> texts = new ArrayList<>();
    if (value.isValueNode()) {
      texts.add(value.asText());
    }
    value.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  /// Reads an object whose values are texts.
  Map<String, String> map(String key) {
    Map<String, String> map = new LinkedHashMap<>();
    value(key).properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
    return map;
  }

  void mistake(String key, String text) {
    mistakes.add(key.isEmpty() ? place : inside(key), text);
  }

  /// Reports the fields that no reader asked for. Call it last.
  void end() {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                mistake(name, "is not known here; known fields: " + String.join(", ", known));
              }
            });
  }

  private JsonNode value(String key) {
    known.add(key);
    // An empty YAML value is null and counts as absent.
    JsonNode value = node.path(key);
    return value.isNull() ? MissingNode.getInstance() : value;
  }

  private String inside(String key) {
    return place.isEmpty() ? key : place + "." + key;
  }

  private static String shown(JsonNode value) {
    return value.isValueNode() ? "\"" + value.asText() + "\"" : value.toString();
  }

  private static Optional<Long> size(String text) {
    return Quantity.parse(text).map(Quantity::value).filter(bytes -> bytes >= 0);
  }

  private static Optional<Long> number(String text, long least) {
    try {
      return Optional.of(Long.parseLong(text)).filter(value -> value >= least);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  private static Optional<Double> fraction(String text) {
    try {
      return Optional.of(Double.parseDouble(text)).filter(value -> value >= 0 && value <= 1);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
