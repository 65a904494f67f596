package dev.berth.server.podsecurity;

/// A policy level at a version, such as `baseline:v1.32`.
public record LevelVersion(PolicyLevel level, PolicyVersion version) {
  static final LevelVersion PRIVILEGED =
      new LevelVersion(PolicyLevel.PRIVILEGED, PolicyVersion.LATEST);

  public boolean isPrivileged() {
    return level == PolicyLevel.PRIVILEGED;
  }

  /// The privileged level allows everything in every version.
  boolean isEquivalentTo(LevelVersion other) {
    return equals(other) || (isPrivileged() && other.isPrivileged());
  }

  LevelVersion with(PolicyLevel changed) {
    return new LevelVersion(changed, version);
  }

  LevelVersion with(PolicyVersion changed) {
    return new LevelVersion(level, changed);
  }

  @Override
  public String toString() {
    return level + ":" + version;
  }
}
