package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;

/// A kind in a group and version, as the extension `x-kubernetes-group-version-kind` has it.
record Gvk(String group, String version, String kind) {
  static final String EXTENSION = "x-kubernetes-group-version-kind";

  ObjectNode toJson() {
    return Json.object().put("group", group).put("kind", kind).put("version", version);
  }
}
