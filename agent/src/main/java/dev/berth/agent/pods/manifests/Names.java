package dev.berth.agent.pods.manifests;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the names in a manifest must be: no API server has looked at them, and they become parts of
/// paths, of host names and of the names by which containers are told apart.
final class Names {
  private static final int LONGEST = 253;
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private Names() {}

  /// @param pod as it would run, with its full name
  /// @throws IllegalArgumentException saying which name cannot be used
  static void check(Pod pod) {
    String name = pod.getMetadata().getName();
    require(
        name.length() <= LONGEST && SUBDOMAIN.matcher(name).matches(),
        "metadata.name",
        name,
        "must be at most %d lower-case letters, digits, '-' and '.', together with the node's"
            .formatted(LONGEST));
    requireLabel("metadata.namespace", pod.getMetadata().getNamespace());
    Set<String> seen = new HashSet<>();
    containers(pod.getSpec())
        .forEach(
            container -> {
              String own = container.getName() == null ? "" : container.getName();
              requireLabel("a container's name", own);
              require(seen.add(own), "a container's name", own, "is there twice");
            });
  }

  private static Stream<Container> containers(PodSpec spec) {
    return Stream.of(spec.getInitContainers(), spec.getContainers()).flatMap(List::stream);
  }

  private static void requireLabel(String field, String name) {
    require(
        LABEL.matcher(name).matches(),
        field,
        name,
        "must be at most 63 lower-case letters, digits and '-'");
  }

  private static void require(boolean holds, String field, String value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException("%s=%s: %s".formatted(field, value, rule));
    }
  }
}
