package dev.berth.server.kinds;

import dev.berth.server.schema.ObjectType;

/// One group and version under which a kind is served.
public record ServedVersion(String group, String version, ObjectType type, Conversion conversion) {
  /// `v1` or `apps/v1`.
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
