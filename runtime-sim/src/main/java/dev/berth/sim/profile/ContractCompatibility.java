package dev.berth.sim.profile;

import java.util.Optional;
import java.util.Set;

/// How much of CRI a runtime implements.
public enum ContractCompatibility {
  /// CRI as of Kubernetes 1.36.
  CURRENT("current"),
  /// Debian's containerd 1.6.20 as measured: CRI as of Kubernetes 1.25, no events, handlers only in
  /// `info`.
  CONTAINERD_1_6("containerd-1.6");

  private static final Set<String> NOT_IMPLEMENTED_1_6 =
      Set.of("CheckpointContainer", "GetContainerEvents");
  private static final Set<String> UNKNOWN_1_6 =
      Set.of(
          "ListMetricDescriptors",
          "ListPodSandboxMetrics",
          "RuntimeConfig",
          "UpdatePodSandboxResources");

  private final String text;

  ContractCompatibility(String text) {
    this.text = text;
  }

  public static Optional<ContractCompatibility> parse(String text) {
    for (ContractCompatibility one : values()) {
      if (one.text.equals(text)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /// The error text for a method that is not implemented; empty when the method exists.
  public Optional<String> missing(String service, String method) {
    if (this == CURRENT) {
      return Optional.empty();
    }
    boolean named = NOT_IMPLEMENTED_1_6.contains(method);
    if (named && service.startsWith("runtime.v1.")) {
      return Optional.of("method " + method + " not implemented");
    }
    boolean unknown = named || UNKNOWN_1_6.contains(method) || method.startsWith("Stream");
    return unknown
        ? Optional.of("unknown method " + method + " for service " + service)
        : Optional.empty();
  }

  /// Whether messages have the fields that came after Kubernetes 1.25.
  public boolean hasNewFields() {
    return this == CURRENT;
  }

  /// Whether image calls honor a handler. containerd 1.6 does not know the field, ignores the
  /// annotation, and keeps one image per name: the host's.
  public boolean hasImagesByHandler() {
    return this == CURRENT;
  }

  @Override
  public String toString() {
    return text;
  }
}
