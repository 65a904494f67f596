package dev.berth.server.podsecurity;

import java.util.Set;

/// What the administrator decides about pod security for the whole cluster.
///
/// @param defaults the policy of namespaces without labels
/// @param usernames users whose pods are not checked
/// @param runtimeClasses classes whose pods are not checked
/// @param namespaces namespaces in which nothing is checked
public record PodSecurityConfiguration(
    NamespacePolicy defaults,
    Set<String> usernames,
    Set<String> runtimeClasses,
    Set<String> namespaces) {
  /// As upstream without a file: every pod is allowed unless labels of its namespace say otherwise.
  public static final PodSecurityConfiguration STANDARD =
      new PodSecurityConfiguration(NamespacePolicy.PRIVILEGED, Set.of(), Set.of(), Set.of());

  public PodSecurityConfiguration {
    usernames = Set.copyOf(usernames);
    runtimeClasses = Set.copyOf(runtimeClasses);
    namespaces = Set.copyOf(namespaces);
  }
}
