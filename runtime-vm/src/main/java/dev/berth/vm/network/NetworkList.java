package dev.berth.vm.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// A CNI configuration: plugins that are called one after the other.
///
/// @param plugins their own configurations, as written by the administrator
record NetworkList(String name, String cniVersion, List<ObjectNode> plugins) {
  /// Versions of the specification whose results are understood.
  static final List<String> VERSIONS = List.of("0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0");

  static final String PORT_MAPPINGS = "portMappings";

  NetworkList {
    plugins = List.copyOf(plugins);
  }

  boolean mapsPorts() {
    return plugins.stream().anyMatch(plugin -> offers(plugin, PORT_MAPPINGS));
  }

  static boolean offers(ObjectNode plugin, String capability) {
    return plugin.path("capabilities").path(capability).asBoolean();
  }

  /// Whether a plugin that removes its part learns what it had returned.
  boolean returnsResultOnRemoval() {
    return VERSIONS.indexOf(cniVersion) >= VERSIONS.indexOf("0.4.0");
  }
}
