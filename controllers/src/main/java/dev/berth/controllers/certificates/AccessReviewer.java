package dev.berth.controllers.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Asks the API server what the requester of a certificate may do. The right to request
/// certificates for nodes is an RBAC rule, so that an administrator decides who may add nodes.
///
/// A review costs a request per decision; decisions about nodes are rare, and a cached answer could
/// outlive the right.
final class AccessReviewer {
  private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final String JSON = "application/json";

  private final ApiClient client;

  AccessReviewer(ApiClient client) {
    this.client = client;
  }

  /// Whether the requester may have node certificates of a kind (`nodeclient`, `selfnodeclient`).
  static ObjectNode signing(String subresource) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("group", "certificates.k8s.io")
        .put("resource", "certificatesigningrequests")
        .put("subresource", subresource)
        .put("verb", "create")
        .put("version", "*");
  }

  /// Whether the requester may use the name of an existing Node.
  static ObjectNode rejoining(String node) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("resource", "nodes")
        .put("name", node)
        .put("verb", "rejoin");
  }

  /// @param requester has `username`, `uid`, `groups` and `extra`, as the API server noted them
  boolean may(JsonNode requester, ObjectNode attributes) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
    ObjectNode spec = review.putObject("spec");
    spec.put("user", requester.path("username").asText());
    for (String field : List.of("uid", "groups", "extra")) {
      if (requester.has(field)) {
        spec.set(field, requester.get(field));
      }
    }
    spec.set("resourceAttributes", attributes);
    byte[] body = review.toString().getBytes(StandardCharsets.UTF_8);
    return client
        .exchange(ApiRequest.of("POST", PATH, JSON, JSON, body))
        .path("status")
        .path("allowed")
        .asBoolean();
  }
}
