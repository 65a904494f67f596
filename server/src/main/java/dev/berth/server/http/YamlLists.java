package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import dev.berth.server.json.Yaml;
import java.util.List;

/// Lists in YAML as pieces: a block of one item reads the same alone and among others.
final class YamlLists {
  private static final byte[] NOTHING = {};

  private YamlLists() {}

  /// What is written before the items, and after them, in the order of the keys.
  record Frame(ObjectNode before, String items, ObjectNode after) {}

  /// A list or a list of partial metadata.
  static Frame list(String kind, String apiVersion, ObjectNode metadata) {
    ObjectNode after = Json.object().put("kind", kind);
    after.set("metadata", metadata);
    return new Frame(Json.object().put("apiVersion", apiVersion), "items", after);
  }

  static Frame table(String apiVersion, ObjectNode metadata, JsonNode columns) {
    ObjectNode before = Json.object().put("apiVersion", apiVersion).put("kind", "Table");
    before.set("columnDefinitions", columns);
    before.set("metadata", metadata);
    return new Frame(before, "rows", Json.object());
  }

  static ListShape shape(Frame frame, boolean isEmpty, ListShape.Item item) {
    byte[] items = TypeHead.bytes(frame.items() + (isEmpty ? ": []\n" : ":\n"));
    return new ListShape(
        Wanted.Format.YAML,
        Pieces.join(Yaml.bytes(frame.before()), items),
        item,
        NOTHING,
        frame.after().isEmpty() ? NOTHING : Yaml.bytes(frame.after()));
  }

  static byte[] item(ObjectNode item) {
    return Yaml.bytes(Json.array().addAll(List.of(item)));
  }
}
