package dev.berth.server.auth.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.auth.AccessRequest;
import java.util.ArrayList;
import java.util.List;

/// A rule of a role: verbs on resources or on paths. Lists are immutable, and `*` in a list stands
/// for everything.
///
/// `allows` runs several times for every request, so it allocates nothing and uses no streams.
public record PolicyRule(
    List<String> verbs,
    List<String> apiGroups,
    List<String> resources,
    List<String> resourceNames,
    List<String> nonResourceUrls) {
  private static final String ALL = "*";

  public PolicyRule {
    verbs = List.copyOf(verbs);
    apiGroups = List.copyOf(apiGroups);
    resources = List.copyOf(resources);
    resourceNames = List.copyOf(resourceNames);
    nonResourceUrls = List.copyOf(nonResourceUrls);
  }

  static PolicyRule of(JsonNode json) {
    return new PolicyRule(
        strings(json.path("verbs")),
        strings(json.path("apiGroups")),
        strings(json.path("resources")),
        strings(json.path("resourceNames")),
        strings(json.path("nonResourceURLs")));
  }

  public static List<PolicyRule> all(JsonNode rules) {
    List<PolicyRule> all = new ArrayList<>();
    rules.forEach(rule -> all.add(of(rule)));
    return List.copyOf(all);
  }

  private static List<String> strings(JsonNode list) {
    List<String> strings = new ArrayList<>();
    list.forEach(element -> strings.add(element.asText()));
    return strings;
  }

  public boolean allows(String verb, AccessRequest.Target target) {
    return has(verbs, verb)
        && switch (target) {
          case AccessRequest.Target.Path(String path) -> allowsPath(path);
          case AccessRequest.Target.Resource resource -> allowsResource(resource);
        };
  }

  /// A rule with names never covers a request without a name, such as a list or a create:
  /// `resourceNames` cannot restrict these.
  private boolean allowsResource(AccessRequest.Target.Resource target) {
    return has(apiGroups, target.group())
        && matchesResource(target.plural(), target.subresource())
        && (resourceNames.isEmpty() || resourceNames.contains(target.name()));
  }

  private boolean matchesResource(String plural, String subresource) {
    if (subresource.isEmpty()) {
      return has(resources, plural);
    }
    for (int i = 0; i < resources.size(); i++) {
      String resource = resources.get(i);
      if (resource.equals(ALL)
          || isPart(resource, plural, subresource)
          || isPart(resource, ALL, subresource)) {
        return true;
      }
    }
    return false;
  }

  /// Whether `resource` equals `plural/subresource`, without allocating that string.
  private static boolean isPart(String resource, String plural, String subresource) {
    int slash = plural.length();
    return resource.length() == slash + 1 + subresource.length()
        && resource.charAt(slash) == '/'
        && resource.startsWith(plural)
        && resource.endsWith(subresource);
  }

  private boolean allowsPath(String path) {
    for (int i = 0; i < nonResourceUrls.size(); i++) {
      String pattern = nonResourceUrls.get(i);
      if (pattern.equals(path)
          || (pattern.endsWith(ALL) && path.regionMatches(0, pattern, 0, pattern.length() - 1))) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(List<String> values, String value) {
    return values.contains(value) || values.contains(ALL);
  }
}
