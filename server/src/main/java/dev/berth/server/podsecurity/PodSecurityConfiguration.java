package dev.berth.server.podsecurity;

import java.util.Set;

/// Cluster-wide configuration of pod security.
///
/// @param defaults the policy of namespaces without labels
/// @param usernames users that are exempt from checks
/// @param runtimeClasses classes whose pods are exempt
/// @param namespaces namespaces that are exempt
public record PodSecurityConfiguration(
    NamespacePolicy defaults,
    Set<String> usernames,
    Set<String> runtimeClasses,
    Set<String> namespaces) {
  /// Upstream's defaults: every pod is allowed unless labels of its namespace say otherwise.
  public static final PodSecurityConfiguration STANDARD =
      new PodSecurityConfiguration(NamespacePolicy.PRIVILEGED, Set.of(), Set.of(), Set.of());

  public PodSecurityConfiguration {
    usernames = Set.copyOf(usernames);
    runtimeClasses = Set.copyOf(runtimeClasses);
    namespaces = Set.copyOf(namespaces);
  }
}
