package dev.berth.agent.runtimes.health;

/// Who answers at an endpoint.
///
/// @param runtimeName for example `containerd`
/// @param runtimeVersion for example `1.6.20`
/// @param apiVersion of CRI: `v1`
public record RuntimeVersion(String runtimeName, String runtimeVersion, String apiVersion) {
  /// As a node's `containerRuntimeVersion` has it: `containerd://1.6.20`.
  @Override
  public String toString() {
    return runtimeName + "://" + runtimeVersion;
  }
}
