package dev.berth.agent.streams;

/// A pod as a URL names it.
///
/// @param uid empty for whichever pod has the name now
public record PodName(String namespace, String name, String uid) {
  public static PodName of(String namespace, String name) {
    return new PodName(namespace, name, "");
  }

  /// As the kubelet's messages have it: `name_namespace`.
  @Override
  public String toString() {
    return name + "_" + namespace;
  }
}
