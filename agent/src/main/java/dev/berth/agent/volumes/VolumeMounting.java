package dev.berth.agent.volumes;

/// A directory or file of the host that a container sees.
///
/// @param propagation `None`, `HostToContainer` or `Bidirectional`
/// @param relabel whether it is the pod's alone, and may get the pod's label of SELinux
public record VolumeMounting(
    String containerPath,
    String hostPath,
    boolean readOnly,
    Recursion recursion,
    String propagation,
    boolean relabel) {
  /// Whether what is mounted below is read-only, too.
  public enum Recursion {
    NO,
    IF_POSSIBLE,
    REQUIRED
  }
}
