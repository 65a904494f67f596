package dev.berth.agent.runtimes.health;

/// The identity of a runtime.
///
/// @param runtimeName for example `containerd`
/// @param runtimeVersion for example `1.6.20`
/// @param apiVersion of CRI: `v1`
public record RuntimeVersion(String runtimeName, String runtimeVersion, String apiVersion) {
  private static final String SEPARATOR = "://";

  public static final String CONTAINERD = "containerd";

  /// The name of the runtime in `containerRuntimeVersion` of a node, such as `containerd` in
  /// `containerd://1.6.20`; the whole text if it has no version.
  public static String nameIn(String text) {
    int end = text.indexOf(SEPARATOR);
    return end < 0 ? text : text.substring(0, end);
  }

  /// In the format of a node's `containerRuntimeVersion`: `containerd://1.6.20`.
  @Override
  public String toString() {
    return runtimeName + SEPARATOR + runtimeVersion;
  }
}
