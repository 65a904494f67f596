package dev.berth.server.auth.authorization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AccessRequest.Target;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.rbac.PolicyRule;
import dev.berth.server.auth.rbac.RbacPolicy;
import dev.berth.server.auth.rbac.RuleCover;
import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Prevents privilege escalation: nobody may grant rights that they do not have.
///
/// Called before a Role, ClusterRole, RoleBinding or ClusterRoleBinding is created or updated.
///
/// Two verbs are exceptions: who may `escalate` roles or `bind` a role may do so without having its
/// rules. A binding to a role that does not exist is refused, because nobody can know what it would
/// grant.
public final class EscalationCheck {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final List<String> COLLECTED =
      List.of("ownerReferences", "finalizers", "managedFields");
  private static final List<PolicyRule> EVERYTHING =
      List.of(
          new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
          new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

  private final Authorizer authorizer;
  private final RbacPolicy rbac;

  public EscalationCheck(Authorizer authorizer, RbacPolicy rbac) {
    this.authorizer = authorizer;
    this.rbac = rbac;
  }

  /// Checks one write; other kinds are ignored.
  ///
  /// @param old null on create
  /// @throws ApiException 403 when the user would grant more than they have
  public void check(UserInfo user, ObjectNode object, @Nullable ObjectNode old) {
    if (user.isMaster()) {
      return;
    }
    String kind = object.path("kind").asText("");
    switch (kind) {
      case "Role" -> checkRole(user, object, old, resource("roles", kind));
      case "ClusterRole" -> checkRole(user, object, old, resource("clusterroles", kind));
      case "RoleBinding" -> checkBinding(user, object, old, resource("rolebindings", kind));
      case "ClusterRoleBinding" ->
          checkBinding(user, object, old, resource("clusterrolebindings", kind));
      default -> {}
    }
  }

  private void checkRole(
      UserInfo user, ObjectNode role, @Nullable ObjectNode old, ApiException.Resource resource) {
    String namespace = role.at("/metadata/namespace").asText("");
    String name = role.at("/metadata/name").asText("");
    JsonNode aggregation = role.path("aggregationRule");
    if (isOnlyCollected(role, old) || may(user, "escalate", resource.plural(), namespace, name)) {
      return;
    }
    confirm(user, namespace, PolicyRule.all(role.path("rules")), resource, name);
    // Rules of aggregated roles are filled in later by a controller, so the check of today's rules
    // is not enough.
    boolean aggregated = isSet(aggregation) || (old != null && isSet(old.path("aggregationRule")));
    if (aggregated && !RuleCover.missing(rbac.rulesFor(user, ""), EVERYTHING).isEmpty()) {
      throw ApiException.forbidden(
          resource, name, "must have cluster-admin privileges to use the aggregationRule");
    }
  }

  /// Only fields that the garbage collector writes have changed. Labels do count: aggregated roles
  /// select rules by labels.
  private static boolean isOnlyCollected(ObjectNode object, @Nullable ObjectNode old) {
    return old != null && withoutCollected(object).equals(withoutCollected(old));
  }

  private static ObjectNode withoutCollected(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    if (copy.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove(COLLECTED);
    }
    return copy;
  }

  private static boolean isSet(JsonNode aggregationRule) {
    return !aggregationRule.path("clusterRoleSelectors").isEmpty();
  }

  private void checkBinding(
      UserInfo user, ObjectNode binding, @Nullable ObjectNode old, ApiException.Resource resource) {
    if (isOnlyCollected(binding, old)) {
      return;
    }
    String namespace = binding.at("/metadata/namespace").asText("");
    String name = binding.at("/metadata/name").asText("");
    String roleName = binding.at("/roleRef/name").asText("");
    boolean clusterRole = binding.at("/roleRef/kind").asText("").equals("ClusterRole");
    ApiException.Resource roles =
        clusterRole ? resource("clusterroles", "ClusterRole") : resource("roles", "Role");
    if (may(user, "bind", roles.plural(), namespace, roleName)) {
      return;
    }
    List<PolicyRule> rules =
        rbac.rulesOf(new RbacPolicy.RoleKey(clusterRole ? "" : namespace, roleName));
    if (rules == null) {
      throw ApiException.notFound(roles, roleName);
    }
    confirm(user, namespace, rules, resource, name);
  }

  private void confirm(
      UserInfo user,
      String namespace,
      List<PolicyRule> wanted,
      ApiException.Resource resource,
      String name) {
    List<PolicyRule> missing = RuleCover.missing(rbac.rulesFor(user, namespace), wanted);
    if (!missing.isEmpty()) {
      String list =
          RuleCover.compacted(missing).stream()
              .map(EscalationCheck::text)
              .distinct()
              .sorted()
              .collect(Collectors.joining("\n"));
      throw ApiException.forbidden(
          resource,
          name,
          "user %s (groups=%s) is attempting to grant RBAC permissions not currently held:\n%s"
              .formatted(GoText.quote(user.name()), quoted(user.groups()), list));
    }
  }

  private boolean may(UserInfo user, String verb, String plural, String namespace, String name) {
    return authorizer
        .decide(
            new AccessRequest(
                user, verb, new Target.Resource(GROUP, "v1", plural, "", namespace, name, "")))
        .allowed();
  }

  private static String text(PolicyRule rule) {
    List<String> parts = new ArrayList<>();
    add(parts, "APIGroups", rule.apiGroups());
    add(parts, "Resources", rule.resources());
    add(parts, "NonResourceURLs", rule.nonResourceUrls());
    add(parts, "ResourceNames", rule.resourceNames());
    add(parts, "Verbs", rule.verbs());
    return "{" + String.join(", ", parts) + "}";
  }

  private static void add(List<String> parts, String label, List<String> values) {
    if (!values.isEmpty()) {
      parts.add(label + ":" + quoted(values));
    }
  }

  /// Go's `%q` of a list.
  private static String quoted(List<String> values) {
    return values.stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"));
  }

  private static ApiException.Resource resource(String plural, String kind) {
    return new ApiException.Resource(GROUP, plural, kind);
  }
}
