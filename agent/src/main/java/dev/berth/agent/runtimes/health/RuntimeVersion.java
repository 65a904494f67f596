package dev.berth.agent.runtimes.health;

/// The identity of a runtime.
///
/// @param runtimeName for example `containerd`
/// @param runtimeVersion for example `1.6.20`
/// @param apiVersion of CRI: `v1`
public record RuntimeVersion(String runtimeName, String runtimeVersion, String apiVersion) {
  /// In the format of a node's `containerRuntimeVersion`: `containerd://1.6.20`.
  @Override
  public String toString() {
    return runtimeName + "://" + runtimeVersion;
  }
}
