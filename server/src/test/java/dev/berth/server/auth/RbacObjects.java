package dev.berth.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.AccessRequest.Target;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;

/// Short ways to write roles, bindings and requests in tests.
public final class RbacObjects {
  private RbacObjects() {}

  /// JSON with single quotes.
  public static ObjectNode json(String text) {
    JsonNode tree =
        JsonTrees.parseTrusted(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    return (ObjectNode) tree;
  }

  /// Makes a role with rules in JSON.
  ///
  /// @param namespace empty for a ClusterRole
  public static ObjectNode role(String namespace, String name, String... rules) {
    return json(
        "{'kind':'%s','metadata':{'name':'%s'%s},'rules':[%s]}"
            .formatted(
                namespace.isEmpty() ? "ClusterRole" : "Role",
                name,
                namespace.isEmpty() ? "" : ",'namespace':'" + namespace + "'",
                String.join(",", rules)));
  }

  public static String rule(String verbs, String groups, String resources) {
    return "{'verbs':%s,'apiGroups':%s,'resources':%s}"
        .formatted(list(verbs), list(groups), list(resources));
  }

  public static String rule(String verbs, String groups, String resources, String names) {
    return "{'verbs':%s,'apiGroups':%s,'resources':%s,'resourceNames':%s}"
        .formatted(list(verbs), list(groups), list(resources), list(names));
  }

  public static String paths(String verbs, String paths) {
    return "{'verbs':%s,'nonResourceURLs':%s}".formatted(list(verbs), list(paths));
  }

  /// Makes a binding of a role to subjects.
  ///
  /// @param role `RoleRef/r1` or `ClusterRole/view`
  /// @param subjects `User/bob`, `Group/g`, `ServiceAccount/ns/name`, `ServiceAccount//name`
  public static ObjectNode binding(String namespace, String name, String role, String... subjects) {
    String[] reference = role.split("/", 2);
    StringBuilder list = new StringBuilder();
    for (String subject : subjects) {
      String[] parts = subject.split("/", -1);
      list.append(list.isEmpty() ? "" : ",")
          .append("{'kind':'%s','name':'%s'".formatted(parts[0], parts[parts.length - 1]))
          .append(parts.length == 3 && !parts[1].isEmpty() ? ",'namespace':'" + parts[1] + "'" : "")
          .append("}");
    }
    return json(
        "{'kind':'%s','metadata':{'name':'%s'%s},'roleRef':{'kind':'%s','name':'%s'},'subjects':[%s]}"
            .formatted(
                namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding",
                name,
                namespace.isEmpty() ? "" : ",'namespace':'" + namespace + "'",
                reference[0],
                reference[1],
                list));
  }

  /// Makes a request for an object.
  ///
  /// @param what `group/plural[/subresource]`, the group `core` being the empty one
  public static AccessRequest request(
      UserInfo user, String verb, String what, String namespace, String name) {
    String[] parts = what.split("/", 3);
    String group = parts[0].equals("core") ? "" : parts[0];
    String subresource = parts.length == 3 ? parts[2] : "";
    return new AccessRequest(
        user, verb, new Target.Resource(group, "v1", parts[1], subresource, namespace, name, ""));
  }

  public static AccessRequest path(UserInfo user, String verb, String path) {
    return new AccessRequest(user, verb, new Target.Path(path));
  }

  private static String list(String values) {
    StringBuilder list = new StringBuilder("[");
    for (String value : values.split(" ", -1)) {
      list.append(list.length() == 1 ? "'" : ",'").append(value).append("'");
    }
    return list.append("]").toString();
  }
}
