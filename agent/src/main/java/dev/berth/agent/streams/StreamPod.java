package dev.berth.agent.streams;

/// A pod as a URL names it.
///
/// @param uid empty for whichever pod has the name now
public record StreamPod(String namespace, String name, String uid) {
  public static StreamPod of(String namespace, String name) {
    return new StreamPod(namespace, name, "");
  }

  /// As the kubelet's messages have it: `name_namespace`.
  @Override
  public String toString() {
    return name + "_" + namespace;
  }
}
