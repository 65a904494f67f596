package dev.berth.server.patch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Formats JSON values like Go's `%v` and `%#v`, because messages that clients know contain them.
public final class GoFormat {
  private GoFormat() {}

  /// `%v`: `map[image:y ports:[80 81]]`.
  public static String plain(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> {
        List<String> entries = new ArrayList<>();
        sorted(value).forEach((name, child) -> entries.add(name + ":" + plain(child)));
        yield "map[" + String.join(" ", entries) + "]";
      }
      case ARRAY -> {
        List<String> items = new ArrayList<>();
        value.forEach(item -> items.add(plain(item)));
        yield "[" + String.join(" ", items) + "]";
      }
      case STRING -> value.textValue();
      case NULL -> "<nil>";
      default -> value.asText();
    };
  }

  /// `%#v`: `map[string]interface {}{"image":"y"}`.
  public static String syntax(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> {
        List<String> entries = new ArrayList<>();
        sorted(value)
            .forEach((name, child) -> entries.add(GoText.quote(name) + ":" + syntax(child)));
        yield "map[string]interface {}{" + String.join(", ", entries) + "}";
      }
      case ARRAY -> {
        List<String> items = new ArrayList<>();
        value.forEach(item -> items.add(syntax(item)));
        yield "[]interface {}{" + String.join(", ", items) + "}";
      }
      case STRING -> GoText.quote(value.textValue());
      case NULL -> "interface {}(nil)";
      default -> value.asText();
    };
  }

  /// `%T`: the Go type that a decoder chooses when it knows no better one.
  ///
  /// Numbers are `int64` or `float64`, because upstream's decoder keeps whole numbers.
  public static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "map[string]interface {}";
      case ARRAY -> "[]interface {}";
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
      default -> "<nil>";
    };
  }

  /// The word that Go's JSON decoder has for a value in `json: cannot unmarshal ... into`.
  public static String jsonWord(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case NUMBER -> "number";
      default -> "null";
    };
  }

  /// Go prints the keys of a map in sorted order.
  private static Map<String, JsonNode> sorted(JsonNode object) {
    Map<String, JsonNode> sorted = new TreeMap<>();
    object.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
