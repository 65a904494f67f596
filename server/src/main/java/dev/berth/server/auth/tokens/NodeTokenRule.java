package dev.berth.server.auth.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.errors.ApiException;

/// Allows a node to request tokens only for pods that run on it (upstream's NodeRestriction).
///
/// A node that is taken over could otherwise get tokens of any account. The UID is required,
/// because a pod of the same name may have been created on another node meanwhile.
final class NodeTokenRule {
  private static final ApiException.Resource ACCOUNTS =
      new ApiException.Resource("", "serviceaccounts", "ServiceAccount");

  private final ObjectReader objects;

  NodeTokenRule(ObjectReader objects) {
    this.objects = objects;
  }

  void check(UserInfo user, String namespace, String account, JsonNode reference) {
    String node = NodeAuthorizer.nodeName(user);
    if (node == null) {
      return;
    }
    String name = reference.path("name").asText("");
    String uid = reference.path("uid").asText("");
    if (!reference.path("apiVersion").asText("").equals("v1")
        || !reference.path("kind").asText("").equals("Pod")
        || name.isEmpty()) {
      throw refusal(account, "node requested token not bound to a pod");
    }
    if (uid.isEmpty()) {
      throw refusal(account, "node requested token with a pod binding without a uid");
    }
    ObjectNode pod = objects.read("pods", namespace, name);
    if (pod == null) {
      throw ApiException.notFound(new ApiException.Resource("", "pods", "Pod"), name);
    }
    if (!pod.at("/metadata/uid").asText().equals(uid)) {
      throw refusal(
          account,
          "the UID in the bound object reference (%s) does not match the UID in record. The object"
                  .formatted(uid)
              + " might have been deleted and then recreated");
    }
    if (!pod.at("/spec/nodeName").asText("").equals(node)) {
      throw refusal(account, "node requested token bound to a pod scheduled on a different node");
    }
  }

  private static ApiException refusal(String account, String why) {
    return ApiException.forbidden(ACCOUNTS, account, why);
  }
}
