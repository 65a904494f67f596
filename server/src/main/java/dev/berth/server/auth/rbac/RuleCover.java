package dev.berth.server.auth.rbac;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the rules that are not covered by other rules.
///
/// `EscalationCheck` uses it to find what a user would gain. Both directions are conservative: a
/// part counts as covered only if a single held rule contains it.
public final class RuleCover {
  private static final String ALL = "*";

  private RuleCover() {}

  /// The parts of the wanted rules that no held rule covers.
  public static List<PolicyRule> missing(List<PolicyRule> held, List<PolicyRule> wanted) {
    List<PolicyRule> missing = new ArrayList<>();
    for (PolicyRule part : parts(wanted)) {
      if (held.stream().noneMatch(rule -> contains(rule, part))) {
        missing.add(part);
      }
    }
    return missing;
  }

  /// Merges parts that differ only in their verb.
  public static List<PolicyRule> compacted(List<PolicyRule> parts) {
    Map<PolicyRule, Set<String>> verbs = new LinkedHashMap<>();
    for (PolicyRule part : parts) {
      verbs
          .computeIfAbsent(withVerbs(part, List.of()), _ -> new LinkedHashSet<>())
          .addAll(part.verbs());
    }
    List<PolicyRule> compacted = new ArrayList<>();
    verbs.forEach((rule, all) -> compacted.add(withVerbs(rule, List.copyOf(all))));
    return compacted;
  }

  private static PolicyRule withVerbs(PolicyRule rule, List<String> verbs) {
    return new PolicyRule(
        verbs, rule.apiGroups(), rule.resources(), rule.resourceNames(), rule.nonResourceUrls());
  }

  /// Splits rules into their smallest parts: a verb on a resource (of one name) or on a path.
  private static Set<PolicyRule> parts(List<PolicyRule> rules) {
    Set<PolicyRule> parts = new LinkedHashSet<>();
    for (PolicyRule rule : rules) {
      for (String verb : rule.verbs()) {
        List<String> one = List.of(verb);
        for (String url : rule.nonResourceUrls()) {
          parts.add(new PolicyRule(one, List.of(), List.of(), List.of(), List.of(url)));
        }
        for (String group : rule.apiGroups()) {
          for (String resource : rule.resources()) {
            addNames(parts, rule, one, List.of(group), List.of(resource));
          }
        }
      }
    }
    return parts;
  }

  private static void addNames(
      Set<PolicyRule> parts,
      PolicyRule rule,
      List<String> verb,
      List<String> group,
      List<String> resource) {
    if (rule.resourceNames().isEmpty()) {
      parts.add(new PolicyRule(verb, group, resource, List.of(), List.of()));
    }
    for (String name : rule.resourceNames()) {
      parts.add(new PolicyRule(verb, group, resource, List.of(name), List.of()));
    }
  }

  private static boolean contains(PolicyRule rule, PolicyRule part) {
    if (!has(rule.verbs(), part.verbs().getFirst())) {
      return false;
    }
    if (!part.nonResourceUrls().isEmpty()) {
      return containsUrl(rule.nonResourceUrls(), part.nonResourceUrls().getFirst());
    }
    return has(rule.apiGroups(), part.apiGroups().getFirst())
        && containsResource(rule.resources(), part.resources().getFirst())
        && (rule.resourceNames().isEmpty()
            || (!part.resourceNames().isEmpty()
                && rule.resourceNames().contains(part.resourceNames().getFirst())));
  }

  private static boolean containsResource(List<String> resources, String resource) {
    int slash = resource.indexOf('/');
    return has(resources, resource)
        || (slash >= 0 && resources.contains(ALL + resource.substring(slash)));
  }

  private static boolean containsUrl(List<String> patterns, String url) {
    return patterns.stream()
        .anyMatch(
            pattern ->
                pattern.equals(url)
                    || (pattern.endsWith(ALL)
                        && url.startsWith(pattern.substring(0, pattern.length() - 1))));
  }

  private static boolean has(List<String> values, String value) {
    return values.contains(value) || values.contains(ALL);
  }
}
