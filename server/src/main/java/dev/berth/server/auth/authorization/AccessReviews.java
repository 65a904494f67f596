package dev.berth.server.auth.authorization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AccessRequest.Target;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.ReviewAnswers;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.rbac.PolicyRule;
import dev.berth.server.auth.rbac.RbacPolicy;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Answers the kinds `*AccessReview` and `SelfSubjectRulesReview`, which are never stored.
///
/// A review asks the same authorizer as requests do, so its answer is the decision that a request
/// would get at this moment.
public final class AccessReviews {
  private static final String GROUP = "authorization.k8s.io";
  private static final FieldPath SPEC = FieldPath.of("spec");

  private final Authorizer authorizer;
  private final RbacPolicy rbac;

  public AccessReviews(Authorizer authorizer, RbacPolicy rbac) {
    this.authorizer = authorizer;
    this.rbac = rbac;
  }

  /// Answers a `SubjectAccessReview`.
  public ObjectNode subject(ObjectNode review) {
    JsonNode spec = review.path("spec");
    FieldErrors errors = new FieldErrors();
    checkTarget(spec, errors);
    checkSubject(spec, errors);
    refuse("subjectaccessreviews", "SubjectAccessReview", errors);
    return answered(review, "SubjectAccessReview", decide(subjectOf(spec), spec));
  }

  /// Answers a `LocalSubjectAccessReview` posted to a namespace.
  public ObjectNode local(String namespace, ObjectNode review) {
    JsonNode spec = review.path("spec");
    FieldErrors errors = new FieldErrors();
    checkTarget(spec, errors);
    checkSubject(spec, errors);
    String wanted = spec.at("/resourceAttributes/namespace").asText("");
    if (spec.has("resourceAttributes") && !wanted.equals(namespace)) {
      errors.invalid(
          SPEC.child("resourceAttributes.namespace"), wanted, "must match metadata.namespace");
    }
    if (spec.has("nonResourceAttributes")) {
      errors.invalid(
          SPEC.child("nonResourceAttributes"),
          spec.path("nonResourceAttributes"),
          "disallowed on this kind of request");
    }
    refuse("localsubjectaccessreviews", "LocalSubjectAccessReview", errors);
    return answered(review, "LocalSubjectAccessReview", decide(subjectOf(spec), spec));
  }

  /// Answers a `SelfSubjectAccessReview`.
  public ObjectNode self(UserInfo user, ObjectNode review) {
    JsonNode spec = review.path("spec");
    FieldErrors errors = new FieldErrors();
    checkTarget(spec, errors);
    refuse("selfsubjectaccessreviews", "SelfSubjectAccessReview", errors);
    return answered(review, "SelfSubjectAccessReview", decide(user, spec));
  }

  /// Answers a `SelfSubjectRulesReview`.
  ///
  /// The list is for display: it has RBAC rules only, and `incomplete` says when another authorizer
  /// may allow more.
  public ObjectNode selfRules(UserInfo user, ObjectNode review) {
    String namespace = review.at("/spec/namespace").asText("");
    if (namespace.isEmpty()) {
      throw ApiException.badRequest("no namespace on request");
    }
    ObjectNode answer = answer(review, "SelfSubjectRulesReview");
    ObjectNode status = answer.putObject("status");
    ArrayNode resourceRules = status.putArray("resourceRules");
    ArrayNode nonResourceRules = status.putArray("nonResourceRules");
    for (PolicyRule rule : rbac.rulesFor(user, namespace)) {
      if (!rule.resources().isEmpty()) {
        ObjectNode json = resourceRules.addObject();
        putStrings(json, "verbs", rule.verbs());
        putStrings(json, "apiGroups", rule.apiGroups());
        putStrings(json, "resources", rule.resources());
        putStrings(json, "resourceNames", rule.resourceNames());
      }
      if (!rule.nonResourceUrls().isEmpty()) {
        ObjectNode json = nonResourceRules.addObject();
        putStrings(json, "verbs", rule.verbs());
        putStrings(json, "nonResourceURLs", rule.nonResourceUrls());
      }
    }
    boolean node = NodeAuthorizer.nodeName(user) != null;
    status.put("incomplete", node);
    if (node) {
      status.put("evaluationError", "node authorizer does not support user rule resolution");
    }
    return answer;
  }

  private AuthorizationDecision decide(UserInfo user, JsonNode spec) {
    JsonNode resource = spec.path("resourceAttributes");
    if (!resource.isObject()) {
      JsonNode path = spec.path("nonResourceAttributes");
      return authorizer.decide(
          new AccessRequest(
              user, path.path("verb").asText(""), new Target.Path(path.path("path").asText(""))));
    }
    return authorizer.decide(
        new AccessRequest(
            user,
            resource.path("verb").asText(""),
            new Target.Resource(
                resource.path("group").asText(""),
                resource.path("version").asText(""),
                resource.path("resource").asText(""),
                resource.path("subresource").asText(""),
                resource.path("namespace").asText(""),
                resource.path("name").asText(""),
                fieldSelector(resource.path("fieldSelector")))));
  }

  /// The selector in the form of a query; requirements that a query cannot express only narrow the
  /// request and are left out.
  private static String fieldSelector(JsonNode selector) {
    List<String> parts = new ArrayList<>();
    if (selector.has("rawSelector")) {
      parts.add(selector.path("rawSelector").asText());
    }
    for (JsonNode requirement : selector.path("requirements")) {
      if (requirement.path("operator").asText().equals("In")
          && requirement.path("values").size() == 1) {
        parts.add(
            requirement.path("key").asText() + "=" + requirement.path("values").get(0).asText());
      }
    }
    return String.join(",", parts);
  }

  private static UserInfo subjectOf(JsonNode spec) {
    Map<String, List<String>> extra = new HashMap<>();
    spec.path("extra").properties().forEach(e -> extra.put(e.getKey(), strings(e.getValue())));
    return new UserInfo(
        spec.path("user").asText(""),
        spec.path("uid").asText(""),
        strings(spec.path("groups")),
        extra);
  }

  private static void checkTarget(JsonNode spec, FieldErrors errors) {
    boolean resource = spec.path("resourceAttributes").isObject();
    boolean path = spec.path("nonResourceAttributes").isObject();
    if (resource && path) {
      errors.invalid(
          SPEC.child("nonResourceAttributes"),
          spec.path("nonResourceAttributes"),
          "cannot be specified in combination with resourceAttributes");
    } else if (!resource && !path) {
      errors.invalidLiteral(
          SPEC.child("resourceAttributes"),
          "null",
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
  }

  private static void checkSubject(JsonNode spec, FieldErrors errors) {
    if (spec.path("user").asText("").isEmpty() && spec.path("groups").isEmpty()) {
      errors.invalid(SPEC.child("user"), "", "at least one of user or group must be specified");
    }
  }

  private static void refuse(String plural, String kind, FieldErrors errors) {
    if (!errors.isEmpty()) {
      throw ApiException.invalid(
          new ApiException.Resource(GROUP, plural, kind), "", errors.toList());
    }
  }

  private static ObjectNode answered(
      ObjectNode review, String kind, AuthorizationDecision decision) {
    ObjectNode answer = answer(review, kind);
    ObjectNode status = answer.putObject("status").put("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) {
      status.put("reason", decision.reason());
    }
    return answer;
  }

  private static ObjectNode answer(ObjectNode review, String kind) {
    ObjectNode answer = JsonTrees.object().put("kind", kind).put("apiVersion", GROUP + "/v1");
    answer.set("metadata", ReviewAnswers.metadata(review));
    answer.set("spec", review.path("spec").isObject() ? review.path("spec") : JsonTrees.object());
    return answer;
  }

  private static void putStrings(ObjectNode json, String field, List<String> values) {
    if (!values.isEmpty()) {
      ArrayNode list = json.putArray(field);
      values.forEach(list::add);
    }
  }

  private static List<String> strings(JsonNode list) {
    List<String> strings = new ArrayList<>();
    list.forEach(element -> strings.add(element.asText()));
    return strings;
  }
}
