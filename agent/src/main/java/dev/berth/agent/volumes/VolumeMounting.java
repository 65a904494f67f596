package dev.berth.agent.volumes;

/// A folder or file of the host that a container sees.
///
/// @param propagation `None`, `HostToContainer` or `Bidirectional`
public record VolumeMounting(
    String containerPath,
    String hostPath,
    boolean readOnly,
    Recursion recursion,
    String propagation) {
  /// Whether what is mounted below is read-only, too.
  public enum Recursion {
    NO,
    IF_POSSIBLE,
    REQUIRED
  }
}
