package dev.berth.server.auth.nodes;

import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AccessRequest.Target;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.rbac.BootstrapPolicy;
import dev.berth.server.auth.rbac.PolicyRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Authorizes node agents: their own node, lease and pods, and the objects that those pods refer
/// to.
///
/// As upstream does, writes are allowed by kind here; the NodeRestriction admission plugin, which
/// sees the object, confines them to the node itself.
///
/// Three answers are possible: allowed, refused with a reason, and no opinion. RBAC is asked after
/// the last two, so an administrator may grant more to nodes.
public final class NodeAuthorizer {
  private static final String NODE_LEASES = "kube-node-lease";

  private final NodeGraph graph;
  private final List<PolicyRule> uniformRules;

  /// Reads the rules that hold for every node from the bootstrap policy.
  ///
  /// @param policy contains the role `system:node`
  public NodeAuthorizer(NodeGraph graph, BootstrapPolicy policy) {
    this(graph, policy.rules("system:node"));
  }

  public NodeAuthorizer(NodeGraph graph, List<PolicyRule> uniformRules) {
    this.graph = graph;
    this.uniformRules = List.copyOf(uniformRules);
  }

  /// The node's name if the user is a node, else null.
  public static @Nullable String nodeName(UserInfo user) {
    return user.name().startsWith(UserInfo.NODE_PREFIX) && user.groups().contains(UserInfo.NODES)
        ? user.name().substring(UserInfo.NODE_PREFIX.length())
        : null;
  }

  public AuthorizationDecision decide(AccessRequest request) {
    String node = nodeName(request.user());
    if (node == null) {
      return AuthorizationDecision.NO_OPINION;
    }
    if (node.isEmpty()) {
      return AuthorizationDecision.refused(
          "unknown node for user \"" + request.user().name() + "\"");
    }
    if (request.target() instanceof Target.Resource target) {
      switch (target.group() + "/" + target.plural()) {
        case "/secrets", "/configmaps" -> {
          return decideRead(node, request.verb(), target);
        }
        case "/serviceaccounts" -> {
          return decideToken(node, request.verb(), target);
        }
        case "coordination.k8s.io/leases" -> {
          return decideLease(node, request.verb(), target);
        }
        case "/nodes" -> {
          return decideNode(node, request.verb(), target);
        }
        case "storage.k8s.io/csinodes" -> {
          return decideCsiNode(node, request.verb(), target);
        }
        case "storage.k8s.io/volumeattachments" -> {
          return decideAttachment(node, request.verb(), target);
        }
        case "/pods" -> {
          return decidePod(node, request.verb(), target);
        }
        default -> {}
      }
    }
    for (PolicyRule rule : uniformRules) {
      if (rule.allows(request.verb(), request.target())) {
        return AuthorizationDecision.ALLOWED;
      }
    }
    return AuthorizationDecision.NO_OPINION;
  }

  /// A list or watch is allowed for one named object only, as kubelets watch each Secret of their
  /// pods.
  private AuthorizationDecision decideRead(String node, String verb, Target.Resource target) {
    if (!verb.equals("get") && !verb.equals("list") && !verb.equals("watch")) {
      return AuthorizationDecision.refused("can only read resources of this type");
    }
    if (!target.subresource().isEmpty()) {
      return AuthorizationDecision.refused("cannot read subresource");
    }
    if (target.namespace().isEmpty()) {
      return AuthorizationDecision.refused("can only read namespaced object of this type");
    }
    return decideRelated(node, target);
  }

  private AuthorizationDecision decideRelated(String node, Target.Resource target) {
    if (target.name().isEmpty()) {
      return AuthorizationDecision.refused("No Object name found");
    }
    return graph.relates(node, target.plural(), target.namespace(), target.name())
        ? AuthorizationDecision.ALLOWED
        : AuthorizationDecision.refused(
            "no relationship found between node '" + node + "' and this object");
  }

  private AuthorizationDecision decideToken(String node, String verb, Target.Resource target) {
    if (!verb.equals("create") || target.name().isEmpty()) {
      return AuthorizationDecision.refused(
          "can only create tokens for individual service accounts");
    }
    if (!target.subresource().equals("token")) {
      return AuthorizationDecision.refused("can only create token subresource of serviceaccount");
    }
    return decideRelated(node, target);
  }

  private static AuthorizationDecision decideLease(
      String node, String verb, Target.Resource target) {
    if (!List.of("get", "create", "update", "patch", "delete").contains(verb)) {
      return AuthorizationDecision.refused(
          "can only get, create, update, patch, or delete a node lease");
    }
    if (!target.namespace().equals(NODE_LEASES)) {
      return AuthorizationDecision.refused(
          "can only access leases in the \"" + NODE_LEASES + "\" system namespace");
    }
    // The name of an object to be created is not known yet; NodeRestriction looks at it.
    if (!verb.equals("create") && !target.name().equals(node)) {
      return AuthorizationDecision.refused(
          "can only access node lease with the same name as the requesting node");
    }
    return AuthorizationDecision.ALLOWED;
  }

  private static AuthorizationDecision decideCsiNode(
      String node, String verb, Target.Resource target) {
    if (!List.of("get", "create", "update", "patch", "delete").contains(verb)) {
      return AuthorizationDecision.refused(
          "can only get, create, update, patch, or delete a CSINode");
    }
    if (!target.subresource().isEmpty()) {
      return AuthorizationDecision.refused("cannot authorize CSINode subresources");
    }
    // The name of an object to be created is not known yet; NodeRestriction looks at it.
    if (!verb.equals("create") && !target.name().equals(node)) {
      return AuthorizationDecision.refused(
          "can only access CSINode with the same name as the requesting node");
    }
    return AuthorizationDecision.ALLOWED;
  }

  private AuthorizationDecision decideAttachment(String node, String verb, Target.Resource target) {
    if (!verb.equals("get") || target.name().isEmpty()) {
      return AuthorizationDecision.refused("can only get individual resources of this type");
    }
    if (!target.subresource().isEmpty()) {
      return AuthorizationDecision.refused("cannot get subresource");
    }
    return decideRelated(node, target);
  }

  /// Creation and updates of any node pass here; NodeRestriction compares the name with the object.
  private static AuthorizationDecision decideNode(
      String node, String verb, Target.Resource target) {
    return switch (target.subresource() + ":" + verb) {
      case ":create", ":update", ":patch", "status:update", "status:patch" ->
          AuthorizationDecision.ALLOWED;
      case ":get", ":list", ":watch" -> {
        if (target.name().equals(node) || selects(target.fieldSelector(), "metadata.name", node)) {
          yield AuthorizationDecision.ALLOWED;
        }
        yield AuthorizationDecision.refused(
            target.name().isEmpty()
                ? "node '%s' cannot read all nodes, only its own Node object".formatted(node)
                : "node '%s' cannot read '%s', only its own Node object"
                    .formatted(node, target.name()));
      }
      default -> AuthorizationDecision.NO_OPINION;
    };
  }

  private AuthorizationDecision decidePod(String node, String verb, Target.Resource target) {
    return switch (target.subresource() + ":" + verb) {
      case ":create", ":delete", "status:update", "status:patch", "eviction:create" ->
          AuthorizationDecision.ALLOWED;
      case ":get" -> decideRelated(node, target);
      case ":list", ":watch" -> {
        if (selects(target.fieldSelector(), "spec.nodeName", node)) {
          yield AuthorizationDecision.ALLOWED;
        }
        yield target.name().isEmpty()
            ? AuthorizationDecision.refused(
                "can only list/watch pods with spec.nodeName field selector")
            : decideRelated(node, target);
      }
      default -> AuthorizationDecision.NO_OPINION;
    };
  }

  /// The selector is compared as text: requirements in another form only make the answer stricter.
  private static boolean selects(String fieldSelector, String field, String node) {
    for (String requirement : fieldSelector.split(",", -1)) {
      String plain = requirement.strip().replaceFirst("==", "=");
      if (plain.equals(field + "=" + node)) {
        return true;
      }
    }
    return false;
  }
}
