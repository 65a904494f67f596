package dev.berth.server.audit;

import dev.berth.server.config.ConfigNode;
import dev.berth.server.validation.fields.NameRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and validates a Policy of `audit.k8s.io/v1`. Unlike upstream, it rejects unknown fields: a
/// misspelled rule could record what should stay secret.
public final class AuditPolicyReader {
  private AuditPolicyReader() {}

  /// Reads the policy; returns null and adds every error when the file is invalid.
  public static @Nullable AuditPolicy read(Path file, List<String> mistakes) {
    List<String> found = new ArrayList<>();
    ConfigNode root = ConfigNode.read(file, "audit.k8s.io/v1", "Policy", found);
    AuditPolicy policy = root == null ? null : policy(root);
    mistakes.addAll(found);
    return found.isEmpty() ? policy : null;
  }

  private static AuditPolicy policy(ConfigNode root) {
    root.allow("apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields");
    List<AuditRule> rules = new ArrayList<>();
    if (root.list("rules").isEmpty()) {
      root.mistake("rules", "at least one rule is required, such as `- level: Metadata`");
    }
    root.list("rules").forEach(rule -> rules.add(rule(rule)));
    return new AuditPolicy(rules, stages(root), root.flag("omitManagedFields").orElse(false));
  }

  /// The rules of form are upstream's, with its texts.
  private static AuditRule rule(ConfigNode rule) {
    rule.allow(
        "level",
        "users",
        "userGroups",
        "verbs",
        "resources",
        "namespaces",
        "nonResourceURLs",
        "omitStages",
        "omitManagedFields");
    Optional<AuditLevel> level = AuditLevel.parse(rule.text("level"));
    if (level.isEmpty()) {
      rule.mistake(
          "level",
          "must be one of %s (found: \"%s\")"
              .formatted(String.join(", ", AuditLevel.texts()), rule.text("level")));
    }
    boolean aboutResources =
        !rule.list("resources").isEmpty() || !rule.list("namespaces").isEmpty();
    if (aboutResources && !rule.list("nonResourceURLs").isEmpty()) {
      rule.mistake(
          "nonResourceURLs", "rules cannot apply to both regular resources and non-resource URLs");
    }
    List<AuditRule.GroupResources> resources = new ArrayList<>();
    rule.list("resources").forEach(each -> resources.add(resources(each)));
    return new AuditRule(
        level.orElse(AuditLevel.NONE),
        Set.copyOf(rule.texts("users")),
        Set.copyOf(rule.texts("userGroups")),
        Set.copyOf(rule.texts("verbs")),
        resources,
        Set.copyOf(rule.texts("namespaces")),
        urls(rule),
        stages(rule),
        rule.flag("omitManagedFields"));
  }

  private static AuditRule.GroupResources resources(ConfigNode entry) {
    entry.allow("group", "resources", "resourceNames");
    String group = entry.text("group");
    if (!group.isEmpty()) {
      NameRule.DNS_SUBDOMAIN
          .problems(group)
          .forEach(problem -> entry.mistake("group", "\"%s\": %s".formatted(group, problem)));
    }
    if (!entry.list("resourceNames").isEmpty() && entry.list("resources").isEmpty()) {
      entry.mistake("resourceNames", "using resourceNames requires at least one resource");
    }
    return new AuditRule.GroupResources(
        group, entry.texts("resources"), Set.copyOf(entry.texts("resourceNames")));
  }

  private static List<String> urls(ConfigNode rule) {
    for (ConfigNode element : rule.list("nonResourceURLs")) {
      String url = element.text();
      if (url.equals("*")) {
        continue;
      }
      if (!url.startsWith("/")) {
        element.mistake(
            "non-resource URL rules must begin with a '/' character (found: \"%s\")"
                .formatted(url));
      }
      int star = url.indexOf('*');
      if (star >= 0 && star < url.length() - 1) {
        element.mistake(
            "non-resource URL wildcards '*' must be the final character of the rule (found: \"%s\")"
                .formatted(url));
      }
    }
    return rule.texts("nonResourceURLs");
  }

  private static Set<AuditStage> stages(ConfigNode node) {
    Set<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
    for (ConfigNode element : node.list("omitStages")) {
      Optional<AuditStage> stage = AuditStage.parse(element.text());
      stage.ifPresent(stages::add);
      if (stage.isEmpty()) {
        element.mistake(
            "must be one of %s (found: \"%s\")"
                .formatted(String.join(", ", AuditStage.texts()), element.text()));
      }
    }
    return stages;
  }
}
