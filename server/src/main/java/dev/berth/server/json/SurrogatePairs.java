package dev.berth.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Replaces unpaired surrogates, which JSON can contain (`\ud800`) and UTF-8 cannot, by the
/// replacement character, like Go's decoder.
final class SurrogatePairs {
  private SurrogatePairs() {}

  /// Whether a document may contain any; a cheap test that is rarely true.
  static boolean possible(byte[] json) {
    for (int i = 0; i + 2 < json.length; i++) {
      if (json[i] == '\\' && json[i + 1] == 'u' && (json[i + 2] | 0x20) == 'd') {
        return true;
      }
    }
    return false;
  }

  static JsonNode repaired(JsonNode tree) {
    return switch (tree) {
      case ObjectNode object -> {
        ObjectNode repaired = JsonTrees.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
          repaired.set(repaired(field.getKey()), repaired(field.getValue()));
        }
        yield repaired;
      }
      case ArrayNode array -> {
        ArrayNode repaired = JsonTrees.array();
        array.forEach(element -> repaired.add(repaired(element)));
        yield repaired;
      }
      default ->
          tree.isTextual() ? JsonNodeFactory.instance.textNode(repaired(tree.textValue())) : tree;
    };
  }

  private static String repaired(String text) {
    if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      return text;
    }
    StringBuilder repaired = new StringBuilder();
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
        .forEach(repaired::appendCodePoint);
    return repaired.toString();
  }
}
