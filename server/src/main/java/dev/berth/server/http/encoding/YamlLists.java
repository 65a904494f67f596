package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.YamlTrees;
import java.util.List;

/// Lists in YAML, in pieces: a sequence entry has the same text alone and among others.
///
/// Keys are in alphabetical order, as Go's YAML encoder writes them. Items stand between other keys
/// for this reason, and the text around them is encoded separately.
final class YamlLists {
  private static final byte[] NOTHING = {};

  private YamlLists() {}

  /// Text before and after the items, in the order of the keys.
  record Frame(ObjectNode before, String items, ObjectNode after) {}

  /// A list or a list of partial metadata.
  static Frame list(String kind, String apiVersion, ObjectNode metadata) {
    ObjectNode after = JsonTrees.object().put("kind", kind);
    after.set("metadata", metadata);
    return new Frame(JsonTrees.object().put("apiVersion", apiVersion), "items", after);
  }

  static Frame table(String apiVersion, ObjectNode metadata, JsonNode columns) {
    ObjectNode before = JsonTrees.object().put("apiVersion", apiVersion).put("kind", "Table");
    before.set("columnDefinitions", columns);
    before.set("metadata", metadata);
    return new Frame(before, "rows", JsonTrees.object());
  }

  static ListShape shape(Frame frame, boolean isEmpty, ListShape.Item item) {
    byte[] items = TypeHead.bytes(frame.items() + (isEmpty ? ": []\n" : ":\n"));
    return new ListShape(
        NegotiatedFormat.Format.YAML,
        ByteChunks.join(YamlTrees.bytes(frame.before()), items),
        item,
        NOTHING,
        frame.after().isEmpty() ? NOTHING : YamlTrees.bytes(frame.after()));
  }

  static byte[] item(ObjectNode item) {
    return YamlTrees.bytes(JsonTrees.array().addAll(List.of(item)));
  }
}
