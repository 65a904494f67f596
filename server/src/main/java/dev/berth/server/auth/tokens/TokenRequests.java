package dev.berth.server.auth.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Answers TokenRequests, `POST serviceaccounts/x/token`.
///
/// The token is issued and not stored: nothing but its expiry and the deletion of the account or
/// the bound object ends it.
public final class TokenRequests {
  private static final ApiException.Resource KIND =
      new ApiException.Resource("authentication.k8s.io", "tokenrequests", "TokenRequest");
  private static final ApiException.Resource ACCOUNTS = core("serviceaccounts", "ServiceAccount");

  /// Upstream's bounds of `expirationSeconds` and its default.
  private static final long SHORTEST = 600;

  /// Upstream's validation of `expirationSeconds`: at most 2^32.
  private static final long LONGEST = 1L << 32;

  /// Upstream's default, an hour.
  private static final long DEFAULT = 3600;

  private final ServiceAccountTokens tokens;
  private final ObjectReader objects;
  private final List<String> audiences;
  private final InstantSource clock;
  private final NodeTokenRule nodes;

  /// Issues tokens with the keys of the server.
  ///
  /// @param audiences default audiences
  public TokenRequests(
      ServiceAccountTokens tokens,
      ObjectReader objects,
      List<String> audiences,
      InstantSource clock) {
    this.tokens = tokens;
    this.objects = objects;
    this.audiences = List.copyOf(audiences);
    this.clock = clock;
    nodes = new NodeTokenRule(objects);
  }

  /// Returns the request with the token in `status`.
  ///
  /// @param user the requester; a node gets tokens only for pods that run on it
  public ObjectNode create(UserInfo user, String namespace, String name, ObjectNode request) {
    JsonNode spec = request.path("spec");
    // The rule for nodes comes first, so that a node learns nothing about accounts and pods of
    // others.
    nodes.check(user, namespace, name, spec.path("boundObjectRef"));
    long seconds = spec.path("expirationSeconds").asLong(DEFAULT);
    validate(seconds);
    ObjectNode account = find(ACCOUNTS, namespace, name);
    Map<String, JsonNode> bound = bound(namespace, name, spec.path("boundObjectRef"));
    List<String> wanted = new ArrayList<>();
    spec.path("audiences").forEach(audience -> wanted.add(audience.asText()));
    List<String> granted = wanted.isEmpty() ? audiences : wanted;
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Duration lifetime = Duration.ofSeconds(seconds);
    String token =
        tokens.issue(new ServiceAccountTokens.Request(account, granted, lifetime, bound), now);

    ObjectNode answer = JsonTrees.object();
    answer.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
    answer
        .putObject("metadata")
        .put("name", name)
        .put("namespace", namespace)
        .put("creationTimestamp", now.toString());
    ObjectNode answerSpec = answer.putObject("spec");
    ArrayNode list = answerSpec.putArray("audiences");
    granted.forEach(list::add);
    answerSpec.put("expirationSeconds", seconds);
    JsonNode reference = spec.path("boundObjectRef");
    answerSpec.set("boundObjectRef", reference.isObject() ? reference : NullNode.instance);
    answer
        .putObject("status")
        .put("token", token)
        .put("expirationTimestamp", now.plus(lifetime).toString());
    return answer;
  }

  private static void validate(long seconds) {
    FieldErrors errors = new FieldErrors();
    FieldPath field = FieldPath.of("spec").child("expirationSeconds");
    if (seconds < SHORTEST) {
      errors.invalid(field, seconds, "may not specify a duration less than 10 minutes");
    } else if (seconds > LONGEST) {
      errors.invalid(field, seconds, "may not specify a duration larger than 2^32 seconds");
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid(KIND, "", errors.toList());
    }
  }

  private Map<String, JsonNode> bound(String namespace, String account, JsonNode reference) {
    Map<String, JsonNode> bound = new LinkedHashMap<>();
    if (!reference.isObject()) {
      return bound;
    }
    String kind = reference.path("kind").asText();
    String name = reference.path("name").asText();
    ObjectNode object =
        switch (reference.path("apiVersion").asText() + "/" + kind) {
          case "v1/Pod" -> {
            ObjectNode pod = find(core("pods", kind), namespace, name);
            addNode(bound, pod);
            bound.put("pod", pod);
            checkAccount(pod, account);
            yield pod;
          }
          case "v1/Secret" -> {
            ObjectNode secret = find(core("secrets", kind), namespace, name);
            bound.put("secret", secret);
            yield secret;
          }
          case "v1/Node" -> {
            ObjectNode node = find(core("nodes", kind), "", name);
            bound.put("node", node);
            yield node;
          }
          default -> throw ApiException.badRequest(cannotBind(reference));
        };
    checkUid(reference, object);
    return bound;
  }

  private static String cannotBind(JsonNode reference) {
    String apiVersion = reference.path("apiVersion").asText();
    int slash = apiVersion.indexOf('/');
    return "cannot bind token to object of type %s/%s, Kind=%s"
        .formatted(
            slash < 0 ? "" : apiVersion.substring(0, slash),
            apiVersion.substring(slash + 1),
            reference.path("kind").asText());
  }

  /// The token would otherwise end with a pod that does not use the account.
  private static void checkAccount(ObjectNode pod, String account) {
    String actual = pod.at("/spec/serviceAccountName").asText();
    if (!actual.equals(account)) {
      throw ApiException.badRequest(
          "cannot bind token for serviceaccount \"%s\" to pod running with serviceaccount \"%s\""
              .formatted(account, actual));
    }
  }

  /// Adds the pod's node to the claims, so that a verifier knows where the token may be used.
  private void addNode(Map<String, JsonNode> bound, ObjectNode pod) {
    String name = pod.at("/spec/nodeName").asText("");
    ObjectNode node = name.isEmpty() ? null : objects.read("nodes", "", name);
    if (node != null) {
      bound.put("node", node);
    }
  }

  private static void checkUid(JsonNode reference, ObjectNode object) {
    String wanted = reference.path("uid").asText("");
    String actual = object.at("/metadata/uid").asText();
    if (!wanted.isEmpty() && !wanted.equals(actual)) {
      String kind = reference.path("kind").asText();
      throw ApiException.conflict(
          new ApiException.Resource("", kind, kind),
          reference.path("name").asText(),
          "the UID in the bound object reference (%s) does not match the UID in record (%s). The"
                  .formatted(wanted, actual)
              + " object might have been deleted and then recreated");
    }
  }

  private ObjectNode find(ApiException.Resource resource, String namespace, String name) {
    ObjectNode object = objects.read(resource.plural(), namespace, name);
    if (object == null) {
      throw ApiException.notFound(resource, name);
    }
    return object;
  }

  private static ApiException.Resource core(String plural, String kind) {
    return new ApiException.Resource("", plural, kind);
  }
}
