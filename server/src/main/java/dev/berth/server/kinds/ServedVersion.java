package dev.berth.server.kinds;

import dev.berth.server.schema.ObjectType;

/// A group and version under which a kind is served.
///
/// @param aside whether this is a deprecated name of the kind, without short names and categories
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
