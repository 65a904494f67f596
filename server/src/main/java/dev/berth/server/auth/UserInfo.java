package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The user of a request: name, uid, groups and extra attributes.
///
/// Authenticators make it; nothing else may add groups, except impersonation, which RBAC must
/// allow. Instances are immutable.
///
/// @param extra attributes from the authenticator, for example the credential's id
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public static final String MASTERS = "system:masters";
  public static final String AUTHENTICATED = "system:authenticated";
  public static final String UNAUTHENTICATED = "system:unauthenticated";
  public static final String NODES = "system:nodes";
  public static final String NODE_PREFIX = "system:node:";
  public static final String SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:";

  public static final UserInfo ANONYMOUS =
      new UserInfo("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  public UserInfo {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  public static UserInfo of(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  /// Adds the group `system:authenticated`.
  public UserInfo authenticated() {
    if (groups.contains(AUTHENTICATED) || groups.contains(UNAUTHENTICATED)) {
      return this;
    }
    List<String> all = new ArrayList<>(groups);
    all.add(AUTHENTICATED);
    return new UserInfo(name, uid, all, extra);
  }

  /// Members of this group pass every authorization, even if RBAC itself is broken.
  public boolean isMaster() {
    return groups.contains(MASTERS);
  }

  /// The form of `TokenReview` and `SelfSubjectReview`.
  public ObjectNode toJson() {
    ObjectNode json = JsonTrees.object();
    json.put("username", name);
    if (!uid.isEmpty()) {
      json.put("uid", uid);
    }
    if (!groups.isEmpty()) {
      ArrayNode list = json.putArray("groups");
      groups.forEach(list::add);
    }
    if (!extra.isEmpty()) {
      ObjectNode map = json.putObject("extra");
      new TreeMap<>(extra)
          .forEach(
              (key, values) -> {
                ArrayNode list = map.putArray(key);
                values.forEach(list::add);
              });
    }
    return json;
  }
}
