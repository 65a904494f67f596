package dev.berth.server.auth.authorization;

import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.rbac.RbacPolicy;
import dev.berth.server.errors.ApiException;

/// Authorizes requests: `system:masters` everything, nodes by the node authorizer, everybody else
/// by RBAC.
///
/// The first authorizer that allows decides. Refusals of both are reported, so that a node's
/// administrator sees why its agent was refused.
public final class Authorizer {
  private final RbacPolicy rbac;
  private final NodeAuthorizer nodes;

  public Authorizer(RbacPolicy rbac, NodeAuthorizer nodes) {
    this.rbac = rbac;
    this.nodes = nodes;
  }

  public AuthorizationDecision decide(AccessRequest request) {
    if (request.user().isMaster()) {
      return AuthorizationDecision.ALLOWED;
    }
    AuthorizationDecision node = nodes.decide(request);
    if (node.allowed()) {
      return node;
    }
    AuthorizationDecision granted = rbac.decide(request);
    if (granted.allowed() || node.reason().isEmpty()) {
      return granted;
    }
    return granted.reason().isEmpty()
        ? node
        : AuthorizationDecision.refused(node.reason() + "\n" + granted.reason());
  }

  /// Requires that the request is allowed.
  ///
  /// @throws ApiException 403 when it is not allowed
  public void check(AccessRequest request) {
    AuthorizationDecision decision = decide(request);
    if (!decision.allowed()) {
      throw request.forbidden(decision.reason());
    }
  }
}
