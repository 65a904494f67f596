package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in a pod template; unlike in pods, requests, host ports and service links stay as they
/// are.
public final class PodTemplateDefaults {
  private PodTemplateDefaults() {}

  /// Fills in the template's `spec`, in place.
  ///
  /// @param template an object with `metadata` and `spec`
  public static void apply(ObjectNode template) {
    ObjectNode spec =
        template.get("spec") instanceof ObjectNode present ? present : template.putObject("spec");
    PodSpecDefaults.apply(spec);
  }
}
