package dev.berth.server.auth.authentication;

import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AccessRequest.Target;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.errors.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Applies the `Impersonate-*` headers if RBAC allows the user to impersonate.
///
/// Each part of the wanted identity is checked on its own: the user, every group, every value of an
/// extra and the uid. A user who may impersonate `bob` may so not add the group `system:masters`.
/// Every check is made as the requester.
public final class Impersonation {
  /// Prefix of the headers, in lower case.
  public static final String PREFIX = "impersonate-";

  private static final String EXTRA_PREFIX = "impersonate-extra-";
  private static final String GROUP = "authentication.k8s.io";

  private final Authorizer authorizer;

  public Impersonation(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /// Returns the effective user; the requester if there are no such headers.
  ///
  /// @param headers values by name in any case; headers other than `Impersonate-*` are ignored
  /// @throws ApiException 403 without permission; 400 when headers name groups or extras without a
  ///   user
  public UserInfo apply(UserInfo requester, Map<String, List<String>> headers) {
    Map<String, List<String>> lower = new TreeMap<>();
    headers.forEach(
        (name, values) -> {
          String key = name.toLowerCase(Locale.ROOT);
          if (key.startsWith(PREFIX)) {
            lower.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(values);
          }
        });
    String user = first(lower, "impersonate-user");
    String uid = first(lower, "impersonate-uid");
    List<String> groups = lower.getOrDefault("impersonate-group", List.of());
    Map<String, List<String>> extra = extra(lower);
    if (user.isEmpty()) {
      if (!groups.isEmpty() || !uid.isEmpty() || !extra.isEmpty()) {
        throw ApiException.badRequest(
            "requested %s without impersonating a user".formatted(lower.keySet()));
      }
      return requester;
    }
    check(requester, user, uid, groups, extra);
    return new UserInfo(user, uid, withImplied(user, groups), extra);
  }

  private void check(
      UserInfo requester,
      String user,
      String uid,
      List<String> groups,
      Map<String, List<String>> extra) {
    require(requester, userTarget(user));
    for (String group : groups) {
      require(requester, new Target.Resource("", "groups", "", group));
    }
    extra.forEach(
        (key, values) ->
            values.forEach(
                value ->
                    require(
                        requester,
                        new Target.Resource(GROUP, "v1", "userextras", key, "", value, ""))));
    if (!uid.isEmpty()) {
      require(requester, new Target.Resource(GROUP, "v1", "uids", "", "", uid, ""));
    }
  }

  private void require(UserInfo requester, Target target) {
    authorizer.check(new AccessRequest(requester, "impersonate", target));
  }

  /// Impersonating a service account is authorized as the resource `serviceaccounts`.
  private static Target userTarget(String user) {
    String[] parts = user.split(":", -1);
    return isAccount(parts)
        ? new Target.Resource("", "serviceaccounts", parts[2], parts[3])
        : new Target.Resource("", "users", "", user);
  }

  private static boolean isAccount(String[] parts) {
    return parts.length == 4
        && parts[0].equals("system")
        && parts[1].equals("serviceaccount")
        && !parts[2].isEmpty()
        && !parts[3].isEmpty();
  }

  private static List<String> withImplied(String user, List<String> groups) {
    List<String> all = new ArrayList<>(groups);
    String[] parts = user.split(":", -1);
    // A service account without explicit groups gets the groups that its token would have. Explicit
    // groups replace them, as upstream has it.
    if (groups.isEmpty() && isAccount(parts)) {
      all.add("system:serviceaccounts");
      all.add("system:serviceaccounts:" + parts[2]);
    }
    if (!all.contains(UserInfo.AUTHENTICATED) && !all.contains(UserInfo.UNAUTHENTICATED)) {
      all.add(
          user.equals(UserInfo.ANONYMOUS.name())
              ? UserInfo.UNAUTHENTICATED
              : UserInfo.AUTHENTICATED);
    }
    return all;
  }

  private static Map<String, List<String>> extra(Map<String, List<String>> headers) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    headers.forEach(
        (name, values) -> {
          if (name.startsWith(EXTRA_PREFIX)) {
            extra
                .computeIfAbsent(
                    unescaped(name.substring(EXTRA_PREFIX.length())), _ -> new ArrayList<>())
                .addAll(values);
          }
        });
    return extra;
  }

  /// A header name cannot contain every character, so clients may percent-encode the key.
  private static String unescaped(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return key;
    }
  }

  private static String first(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }
}
