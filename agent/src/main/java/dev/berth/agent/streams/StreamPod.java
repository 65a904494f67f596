package dev.berth.agent.streams;

/// A pod as a URL names it.
///
/// @param uid empty for whichever pod has the name
public record StreamPod(String namespace, String name, String uid) {
  public static StreamPod of(String namespace, String name) {
    return new StreamPod(namespace, name, "");
  }

  /// The kubelet's format: `name_namespace`.
  @Override
  public String toString() {
    return name + "_" + namespace;
  }
}
