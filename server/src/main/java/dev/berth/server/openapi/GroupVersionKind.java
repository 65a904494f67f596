package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;

/// A kind in a group and version, in the form of the extension `x-kubernetes-group-version-kind`.
record GroupVersionKind(String group, String version, String kind) {
  static final String EXTENSION = "x-kubernetes-group-version-kind";

  /// The order of the fields is upstream's.
  ObjectNode toJson() {
    return JsonTrees.object().put("group", group).put("kind", kind).put("version", version);
  }
}
