package dev.berth.server.auth.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Indexes all roles and bindings by subject; follows changes of single objects.
///
/// Decisions take no lock. A decision sees each change either completely or not at all.
///
/// An informer of the store applies the changes, shortly after they were written. Cost of a
/// decision: the grants of the user and of its groups, in the cluster scope and in one namespace;
/// the number of all bindings does not matter.
public final class RbacPolicy {
  private static final Grant[] NONE = {};

  /// Serializes changes; readers use only the concurrent maps.
  private final ReentrantLock changes = new ReentrantLock();

  /// Includes roles that bindings refer to and that do not exist.
  private final Map<RoleKey, RoleRef> roles = new ConcurrentHashMap<>();

  private final Map<BindingKey, List<Grant>> bindings = new HashMap<>();

  /// By namespace; "" is the cluster scope.
  private final Map<String, Subjects> subjects = new ConcurrentHashMap<>();

  private record BindingKey(String namespace, String name) {}

  /// Names a Role or a ClusterRole.
  ///
  /// @param namespace empty for a ClusterRole
  public record RoleKey(String namespace, String name) {
    String notFound() {
      return "%s.rbac.authorization.k8s.io \"%s\" not found"
          .formatted(namespace.isEmpty() ? "clusterrole" : "role", name);
    }
  }

  private record Subjects(Map<String, Grant[]> users, Map<String, Grant[]> groups) {
    Subjects() {
      this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }
  }

  /// A subject of a binding, with the role that it gets.
  ///
  /// @param reason the reason that authorization reports for this grant
  private record Grant(boolean group, String subject, RoleRef role, String reason) {}

  /// Adds or replaces a Role, ClusterRole, RoleBinding or ClusterRoleBinding; other kinds are
  /// ignored.
  public void put(ObjectNode object) {
    String namespace = object.at("/metadata/namespace").asText("");
    String name = object.at("/metadata/name").asText("");
    changes.lock();
    try {
      switch (object.path("kind").asText("")) {
        case "Role", "ClusterRole" -> {
          role(new RoleKey(namespace, name)).define(RoleDefinition.of(object));
          aggregate();
        }
        case "RoleBinding", "ClusterRoleBinding" ->
            bind(new BindingKey(namespace, name), grants(namespace, name, object));
        default -> {}
      }
    } finally {
      changes.unlock();
    }
  }

  /// Removes a deleted object.
  public void remove(String kind, String namespace, String name) {
    changes.lock();
    try {
      switch (kind) {
        case "Role", "ClusterRole" -> {
          role(new RoleKey(namespace, name)).define(null);
          aggregate();
        }
        case "RoleBinding", "ClusterRoleBinding" ->
            bind(new BindingKey(namespace, name), List.of());
        default -> {}
      }
    } finally {
      changes.unlock();
    }
  }

  public AuthorizationDecision decide(AccessRequest request) {
    String namespace =
        request.target() instanceof AccessRequest.Target.Resource resource
            ? resource.namespace()
            : "";
    // Cluster-wide grants first: those of the system's components are there, which make most
    // requests.
    Grant grant = allowing(request, subjects.get(""));
    if (grant == null && !namespace.isEmpty()) {
      grant = allowing(request, subjects.get(namespace));
    }
    if (grant != null) {
      return new AuthorizationDecision(true, grant.reason());
    }
    return AuthorizationDecision.refused(missingRoles(request.user(), namespace));
  }

  /// Returns the rules of the user in a namespace, cluster-wide rules first.
  public List<PolicyRule> rulesFor(UserInfo user, String namespace) {
    List<PolicyRule> rules = new ArrayList<>();
    for (Grant grant : grantsFor(user, namespace)) {
      rules.addAll(grant.role().rules());
    }
    return rules;
  }

  /// The rules of the role that a binding refers to; null when it does not exist.
  public @Nullable List<PolicyRule> rulesOf(RoleKey key) {
    RoleRef role = roles.get(key);
    return role == null || !role.exists() ? null : role.rules();
  }

  private static @Nullable Grant allowing(AccessRequest request, @Nullable Subjects subjects) {
    if (subjects == null) {
      return null;
    }
    Grant grant = allowing(request, subjects.users().get(request.user().name()));
    List<String> groups = request.user().groups();
    for (int i = 0; grant == null && i < groups.size(); i++) {
      grant = allowing(request, subjects.groups().get(groups.get(i)));
    }
    return grant;
  }

  private static @Nullable Grant allowing(AccessRequest request, Grant @Nullable [] grants) {
    for (Grant grant : grants == null ? NONE : grants) {
      List<PolicyRule> rules = grant.role().rules();
      for (int i = 0; i < rules.size(); i++) {
        if (rules.get(i).allows(request.verb(), request.target())) {
          return grant;
        }
      }
    }
    return null;
  }

  private String missingRoles(UserInfo user, String namespace) {
    Set<String> missing = new LinkedHashSet<>();
    for (Grant grant : grantsFor(user, namespace)) {
      if (!grant.role().exists()) {
        missing.add(grant.role().key().notFound());
      }
    }
    String all = String.join(", ", missing);
    return switch (missing.size()) {
      case 0 -> "";
      case 1 -> "RBAC: " + all;
      default -> "RBAC: [" + all + "]";
    };
  }

  private List<Grant> grantsFor(UserInfo user, String namespace) {
    List<Grant> all = new ArrayList<>();
    addGrants(all, user, subjects.get(""));
    if (!namespace.isEmpty()) {
      addGrants(all, user, subjects.get(namespace));
    }
    return all;
  }

  private static void addGrants(List<Grant> all, UserInfo user, @Nullable Subjects subjects) {
    if (subjects != null) {
      all.addAll(List.of(subjects.users().getOrDefault(user.name(), NONE)));
      for (String group : user.groups()) {
        all.addAll(List.of(subjects.groups().getOrDefault(group, NONE)));
      }
    }
  }

  private RoleRef role(RoleKey key) {
    return roles.computeIfAbsent(key, RoleRef::new);
  }

  /// Runs after every change of a role, because the change may concern any role that selects it.
  /// Roles change seldom.
  private void aggregate() {
    for (RoleRef role : roles.values()) {
      role.aggregate(roles.values());
    }
  }

  private void bind(BindingKey key, List<Grant> grants) {
    Subjects local = subjects.computeIfAbsent(key.namespace(), _ -> new Subjects());
    List<Grant> before =
        grants.isEmpty() ? bindings.remove(key) : bindings.put(key, List.copyOf(grants));
    // New grants are added before old ones are removed, so that a subject that keeps its grant
    // never lacks it.
    for (Grant grant : grants) {
      (grant.group() ? local.groups() : local.users())
          .merge(grant.subject(), new Grant[] {grant}, RbacPolicy::joined);
    }
    for (Grant grant : before == null ? List.<Grant>of() : before) {
      (grant.group() ? local.groups() : local.users())
          .computeIfPresent(grant.subject(), (_, all) -> without(all, grant));
    }
  }

  private static Grant[] joined(Grant[] some, Grant[] more) {
    List<Grant> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(Grant[]::new);
  }

  // Returning null from a map's function drops the entry.
  @SuppressWarnings("ReferenceEquality")
  private static Grant @Nullable [] without(Grant[] all, Grant gone) {
    List<Grant> rest = new ArrayList<>(List.of(all));
    rest.removeIf(grant -> grant == gone);
    return rest.isEmpty() ? null : rest.toArray(Grant[]::new);
  }

  private List<Grant> grants(String namespace, String name, ObjectNode binding) {
    JsonNode reference = binding.path("roleRef");
    String kind = reference.path("kind").asText("");
    boolean clusterRole = kind.equals("ClusterRole");
    if (!clusterRole && (!kind.equals("Role") || namespace.isEmpty())) {
      return List.of();
    }
    String roleName = reference.path("name").asText("");
    RoleRef role = role(new RoleKey(clusterRole ? "" : namespace, roleName));
    String prefix =
        "RBAC: allowed by %s of %s \"%s\" to "
            .formatted(
                namespace.isEmpty()
                    ? "ClusterRoleBinding \"" + name + "\""
                    : "RoleBinding \"" + name + "/" + namespace + "\"",
                kind,
                roleName);
    List<Grant> grants = new ArrayList<>();
    for (JsonNode json : binding.path("subjects")) {
      Grant grant = grant(json, namespace, role, prefix);
      if (grant != null) {
        grants.add(grant);
      }
    }
    return grants;
  }

  private static @Nullable Grant grant(
      JsonNode subject, String bindingNamespace, RoleRef role, String prefix) {
    String kind = subject.path("kind").asText("");
    String name = subject.path("name").asText("");
    String account = subject.path("namespace").asText(bindingNamespace);
    String namespace = account.isEmpty() ? bindingNamespace : account;
    return switch (kind) {
      case "User", "Group" ->
          new Grant(kind.equals("Group"), name, role, prefix + kind + " \"" + name + "\"");
      case "ServiceAccount" ->
          namespace.isEmpty()
              ? null
              : new Grant(
                  false,
                  UserInfo.SERVICE_ACCOUNT_PREFIX + namespace + ":" + name,
                  role,
                  prefix + kind + " \"" + name + "/" + namespace + "\"");
      default -> null;
    };
  }
}
