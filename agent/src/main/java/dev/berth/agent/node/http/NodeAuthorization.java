package dev.berth.agent.node.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import java.time.Duration;
import java.time.InstantSource;

/// Authorizes requests to this node by SubjectAccessReviews of the API server.
final class NodeAuthorization {
  private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  /// As the kubelet's `authorization.webhook.cacheAuthorizedTTL`: a withdrawn permission lasts five
  /// minutes more at most.
  private static final Duration ALLOWED = Duration.ofMinutes(5);

  /// As the kubelet's `authorization.webhook.cacheUnauthorizedTTL`.
  private static final Duration REFUSED = Duration.ofSeconds(30);

  private final ApiClient client;
  private final String node;
  private final RecentAnswers<Question, Boolean> answers;

  private record Question(NodeCaller caller, String verb, String subresource) {}

  NodeAuthorization(ApiClient client, String node, InstantSource clock) {
    this.client = client;
    this.node = node;
    this.answers = new RecentAnswers<>(clock, allowed -> allowed ? ALLOWED : REFUSED);
  }

  /// Refuses a request that the caller may not make, in the kubelet's words.
  void require(NodeCaller caller, String method, String path) {
    String verb = verb(method);
    String subresource = subresource(path);
    if (!answers.get(
        new Question(caller, verb, subresource), () -> ask(caller, verb, subresource))) {
      throw new HttpFailure(
          403,
          "Forbidden (user=%s, verb=%s, resource=nodes, subresource(s)=[%s])"
              .formatted(caller.name(), verb, subresource));
    }
  }

  static String verb(String method) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> "delete";
      default -> "get";
    };
  }

  static String subresource(String path) {
    return switch (path.substring(1).split("/", 2)[0]) {
      case "stats" -> "stats";
      case "metrics" -> "metrics";
      case "logs" -> "log";
      case "checkpoint" -> "checkpoint";
      default -> "proxy";
    };
  }

  private boolean ask(NodeCaller caller, String verb, String subresource) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
    ObjectNode spec = review.putObject("spec").put("user", caller.name());
    var groups = spec.putArray("groups");
    caller.groups().forEach(groups::add);
    ObjectNode attributes = spec.putObject("resourceAttributes");
    attributes.put("verb", verb).put("version", "v1").put("resource", "nodes");
    attributes.put("subresource", subresource).put("name", node);
    JsonNode status = AccessReviews.post(client, PATH, review);
    return status.path("allowed").asBoolean();
  }
}
