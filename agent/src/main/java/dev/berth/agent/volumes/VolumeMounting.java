package dev.berth.agent.volumes;

/// A directory or file of the host in a container.
///
/// @param propagation `None`, `HostToContainer` or `Bidirectional`
/// @param relabel whether the pod alone uses it, so that it may get the pod's SELinux label
public record VolumeMounting(
    String containerPath,
    String hostPath,
    boolean readOnly,
    Recursion recursion,
    String propagation,
    boolean relabel) {
  /// Whether mounts below become read-only, too.
  public enum Recursion {
    NO,
    IF_POSSIBLE,
    REQUIRED
  }
}
