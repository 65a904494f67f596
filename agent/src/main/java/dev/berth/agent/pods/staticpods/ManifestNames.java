package dev.berth.agent.pods.staticpods;

import dev.berth.api.DnsNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Checks the names in a manifest: no API server validates them, and they become parts of paths, of
/// host names and of container names.
final class ManifestNames {
  private ManifestNames() {}

  /// @param pod with its full name
  /// @throws IllegalArgumentException naming the invalid name
  static void check(Pod pod) {
    String name = pod.getMetadata().getName();
    require(
        DnsNames.isSubdomain(name),
        "metadata.name",
        name,
        "must be at most %d lower-case letters, digits, '-' and '.', together with the node's"
            .formatted(DnsNames.LONGEST_SUBDOMAIN));
    requireLabel("metadata.namespace", pod.getMetadata().getNamespace());
    Set<String> seen = new HashSet<>();
    containers(pod.getSpec())
        .forEach(
            container -> {
              String own = container.getName() == null ? "" : container.getName();
              requireLabel("a container's name", own);
              require(seen.add(own), "a container's name", own, "is used twice");
            });
  }

  private static Stream<Container> containers(PodSpec spec) {
    return Stream.of(spec.getInitContainers(), spec.getContainers()).flatMap(List::stream);
  }

  private static void requireLabel(String field, String name) {
    require(
        DnsNames.isLabel(name),
        field,
        name,
        "must be at most %d lower-case letters, digits and '-'".formatted(DnsNames.LONGEST_LABEL));
  }

  private static void require(boolean holds, String field, String value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException("%s=%s: %s".formatted(field, value, rule));
    }
  }
}
