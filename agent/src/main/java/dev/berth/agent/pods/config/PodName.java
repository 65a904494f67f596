package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;

/// The hostname of a pod.
///
/// @param domain that of the pod's subdomain; empty when it has none
record PodName(String host, String domain) {
  /// RFC 1123; Linux limits host names to 64 bytes as well (`HOST_NAME_MAX`).
  private static final int LONGEST_LABEL = 63;

  /// The kernel's limit for hostnames.
  private static final int LONGEST_NAME = 64;

  /// The pod's name or `spec.hostname`, cut to what resolvers accept.
  static PodName of(Pod pod, String clusterDomain) {
    String asked = Objects.requireNonNullElse(pod.getSpec().getHostname(), "");
    String name = asked.isEmpty() ? pod.getMetadata().getName() : asked;
    String cut = name.length() > LONGEST_LABEL ? name.substring(0, LONGEST_LABEL) : name;
    String subdomain = Objects.requireNonNullElse(pod.getSpec().getSubdomain(), "");
    return new PodName(
        cut.replaceAll("[-.]+$", ""),
        subdomain.isEmpty()
            ? ""
            : "%s.%s.svc.%s".formatted(subdomain, pod.getMetadata().getNamespace(), clusterDomain));
  }

  String full() {
    return domain.isEmpty() ? host : host + "." + domain;
  }

  /// The hostname for the sandbox.
  ///
  /// @throws ConfigException when the fully qualified name exceeds the kernel's limit
  String ofSandbox(Pod pod) {
    if (!Boolean.TRUE.equals(pod.getSpec().getSetHostnameAsFQDN())) {
      return host;
    }
    if (full().length() > LONGEST_NAME) {
      throw new ConfigException(
          "failed to construct FQDN from pod hostname and cluster domain, FQDN %s is too long (%d is the max, %d characters requested)"
              .formatted(full(), LONGEST_NAME, full().length()));
    }
    return full();
  }
}
