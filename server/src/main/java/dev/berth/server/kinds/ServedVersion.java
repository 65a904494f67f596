package dev.berth.server.kinds;

import dev.berth.server.schema.ObjectType;

/// One group and version under which a kind is served.
///
/// @param aside an old name of the kind: served, but not what short names and categories mean
public record ServedVersion(
    String group, String version, ObjectType type, VersionConversion conversion, boolean aside) {
  public ServedVersion(
      String group, String version, ObjectType type, VersionConversion conversion) {
    this(group, version, type, conversion, false);
  }

  /// `v1` or `apps/v1`.
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
