package dev.berth.server.auth.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// The roles and bindings that every cluster starts with, from `bootstrap-policy.json`.
///
/// The file is abbreviated: each role becomes a ClusterRole and each binding a ClusterRoleBinding
/// of the same name as its role. It is JSON because loading a YAML parser would take a tenth of the
/// start time.
public final class BootstrapPolicy {
  static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
  private static final String API_VERSION = "rbac.authorization.k8s.io/v1";
  private static final String RBAC_GROUP = "rbac.authorization.k8s.io";
  private static final String AGGREGATE_TO = "rbac.authorization.k8s.io/aggregate-to-";

  private final List<ObjectNode> objects;

  private BootstrapPolicy(List<ObjectNode> objects) {
    this.objects = List.copyOf(objects);
  }

  public static BootstrapPolicy load() {
    try (InputStream in = BootstrapPolicy.class.getResourceAsStream("bootstrap-policy.json")) {
      if (in == null) {
        throw new IllegalStateException("bootstrap-policy.json is not on the class path");
      }
      JsonNode file = JsonTrees.parseTrusted(in.readAllBytes());
      List<ObjectNode> objects = new ArrayList<>();
      file.path("roles").forEach(entry -> objects.add(role(entry)));
      file.path("bindings").forEach(entry -> objects.add(binding(entry)));
      return new BootstrapPolicy(objects);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// ClusterRoles, then ClusterRoleBindings; the caller must copy them before changing them.
  public List<ObjectNode> objects() {
    return objects;
  }

  public List<PolicyRule> rules(String role) {
    for (ObjectNode object : objects) {
      if (object.at("/metadata/name").asText().equals(role) && object.has("rules")) {
        return PolicyRule.all(object.path("rules"));
      }
    }
    throw new IllegalArgumentException("no bootstrap role " + role);
  }

  private static ObjectNode role(JsonNode entry) {
    ObjectNode role = object("ClusterRole", entry.path("name").asText());
    if (entry.has("aggregateTo")) {
      ((ObjectNode) role.at("/metadata/labels"))
          .put(AGGREGATE_TO + entry.path("aggregateTo").asText(), "true");
    }
    ArrayNode rules = role.putArray("rules");
    entry.path("rules").forEach(rule -> rules.add(inOrder(rule)));
    if (entry.has("aggregateFrom")) {
      role.putObject("aggregationRule")
          .putArray("clusterRoleSelectors")
          .addObject()
          .putObject("matchLabels")
          .put(AGGREGATE_TO + entry.path("aggregateFrom").asText(), "true");
    }
    return role;
  }

  /// The fields of a rule in upstream's order.
  private static ObjectNode inOrder(JsonNode rule) {
    ObjectNode ordered = JsonTrees.object();
    for (String field :
        List.of("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")) {
      if (rule.has(field)) {
        ordered.set(field, rule.path(field).deepCopy());
      }
    }
    return ordered;
  }

  private static ObjectNode binding(JsonNode entry) {
    String name = entry.path("role").asText();
    ObjectNode binding = object("ClusterRoleBinding", name);
    if (!entry.path("subjects").isEmpty()) {
      ArrayNode subjects = binding.putArray("subjects");
      entry.path("subjects").forEach(subject -> subjects.add(subject(subject.asText())));
    }
    binding
        .putObject("roleRef")
        .put("apiGroup", RBAC_GROUP)
        .put("kind", "ClusterRole")
        .put("name", name);
    return binding;
  }

  /// `User bob`, `Group system:nodes` or `ServiceAccount kube-system/x`.
  private static ObjectNode subject(String text) {
    String kind = text.substring(0, text.indexOf(' '));
    String name = text.substring(kind.length() + 1);
    ObjectNode subject = JsonTrees.object().put("kind", kind);
    if (kind.equals("ServiceAccount")) {
      int slash = name.indexOf('/');
      return subject
          .put("name", name.substring(slash + 1))
          .put("namespace", name.substring(0, slash));
    }
    return subject.put("apiGroup", RBAC_GROUP).put("name", name);
  }

  private static ObjectNode object(String kind, String name) {
    ObjectNode object = JsonTrees.object().put("kind", kind).put("apiVersion", API_VERSION);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
    metadata.putObject("annotations").put(AUTO_UPDATE, "true");
    return object;
  }
}
