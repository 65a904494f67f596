package dev.berth.server.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import java.util.Map;

/// JSON merge patch (RFC 7386): objects merge, `null` deletes, everything else replaces.
public final class MergePatch {
  private MergePatch() {}

  public static ObjectNode apply(JsonNode patch, ObjectNode target) {
    if (!(patch instanceof ObjectNode changes)) {
      throw ApiException.badRequest(
          "error decoding patch: json: cannot unmarshal %s into Go value of type map[string]interface {}"
              .formatted(GoFormat.jsonWord(patch)));
    }
    return merge(target.deepCopy(), changes);
  }

  /// A nested object of the patch is merged even into a value that is no object, so that its `null`
  /// fields never end up in the result (RFC 7386).
  private static ObjectNode merge(ObjectNode target, ObjectNode patch) {
    for (Map.Entry<String, JsonNode> change : patch.properties()) {
      String name = change.getKey();
      if (change.getValue().isNull()) {
        target.remove(name);
      } else if (change.getValue() instanceof ObjectNode nested) {
        ObjectNode old =
            target.get(name) instanceof ObjectNode object ? object : JsonTrees.object();
        target.set(name, merge(old, nested));
      } else {
        target.set(name, change.getValue().deepCopy());
      }
    }
    return target;
  }
}
