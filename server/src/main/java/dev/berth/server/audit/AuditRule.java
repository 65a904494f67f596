package dev.berth.server.audit;

import dev.berth.server.auth.UserInfo;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A rule of a policy: the requests that it matches and the level for them. An empty list matches
/// everything.
///
/// A rule with resources or namespaces matches resource requests only, one with URLs matches other
/// paths only.
///
/// @param omitManagedFields overrides the policy's own setting
record AuditRule(
    AuditLevel level,
    Set<String> users,
    Set<String> userGroups,
    Set<String> verbs,
    List<GroupResources> resources,
    Set<String> namespaces,
    List<String> nonResourceUrls,
    Set<AuditStage> omitStages,
    Optional<Boolean> omitManagedFields) {

  /// Resources of an API group: `pods`, `pods/log`, `pods/*`, `*/status`, `*`.
  record GroupResources(String group, List<String> resources, Set<String> resourceNames) {
    GroupResources {
      resources = List.copyOf(resources);
      resourceNames = Set.copyOf(resourceNames);
    }

    private boolean matches(AuditRequest.Resource target) {
      return group.equals(target.group())
          && (resources.isEmpty()
              || ((resourceNames.isEmpty() || resourceNames.contains(target.name()))
                  && resources.stream().anyMatch(resource -> matches(resource, target))));
    }

    /// `pods` does not cover `pods/log`; each subresource must be named, as upstream has it.
    private static boolean matches(String pattern, AuditRequest.Resource target) {
      String subresource = target.subresource();
      String full = subresource.isEmpty() ? target.plural() : target.plural() + "/" + subresource;
      return pattern.equals("*")
          || pattern.equals(full)
          || (!subresource.isEmpty() && pattern.equals("*/" + subresource))
          || pattern.equals(target.plural() + "/*");
    }
  }

  AuditRule {
    users = Set.copyOf(users);
    userGroups = Set.copyOf(userGroups);
    verbs = Set.copyOf(verbs);
    resources = List.copyOf(resources);
    namespaces = Set.copyOf(namespaces);
    nonResourceUrls = List.copyOf(nonResourceUrls);
    omitStages = Set.copyOf(omitStages);
  }

  /// @param user null when authentication failed
  boolean matches(AuditRequest request, @Nullable UserInfo user) {
    if (!users.isEmpty() && (user == null || !users.contains(user.name()))) {
      return false;
    }
    if (!userGroups.isEmpty()
        && (user == null || Collections.disjoint(userGroups, user.groups()))) {
      return false;
    }
    if (!verbs.isEmpty() && !verbs.contains(request.verb())) {
      return false;
    }
    if (!namespaces.isEmpty() || !resources.isEmpty()) {
      return request.isResource() && matchesResource(request.resource());
    }
    return nonResourceUrls.isEmpty()
        || (!request.isResource()
            && nonResourceUrls.stream().anyMatch(url -> matchesPath(url, request.path())));
  }

  private boolean matchesResource(AuditRequest.Resource target) {
    return (namespaces.isEmpty() || namespaces.contains(target.namespace()))
        && (resources.isEmpty() || resources.stream().anyMatch(each -> each.matches(target)));
  }

  private static boolean matchesPath(String pattern, String path) {
    return pattern.endsWith("*")
        ? path.startsWith(pattern.substring(0, pattern.length() - 1))
        : path.equals(pattern);
  }
}
