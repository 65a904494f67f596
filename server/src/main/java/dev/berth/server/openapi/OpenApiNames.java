package dev.berth.server.openapi;

import java.util.Locale;

/// Names of definitions, operations and tags, formed as upstream forms them.
///
/// Generated clients contain these names, so a difference would rename their classes and methods.
final class OpenApiNames {
  static final String API_MACHINERY = "io.k8s.apimachinery.pkg.";
  private static final String META = API_MACHINERY + "apis.meta.v1.";

  private OpenApiNames() {}

  /// `io.k8s.api.core.v1.Pod` of `core.v1.Pod`.
  static String definition(String type) {
    return type.startsWith("meta.v1.")
        ? META + type.substring("meta.v1.".length())
        : "io.k8s.api." + type;
  }

  static String meta(String simpleName) {
    return META + simpleName;
  }

  /// The name in the type table: `rbac.v1.Role` of `rbac.authorization.k8s.io`, `v1`, `Role`.
  static String type(String group, String version, String kind) {
    String first = group.isEmpty() ? "core" : group.split("\\.", 2)[0];
    return first + "." + version + "." + kind;
  }

  /// The part of operation ids that names a group and version: `RbacAuthorizationV1`.
  static String groupVersion(String group, String version) {
    return camel(group) + capital(version);
  }

  /// `RbacAuthorization` of `rbac.authorization.k8s.io`, `Core` of the core group.
  static String camel(String group) {
    StringBuilder name = new StringBuilder();
    for (String part : group.replaceFirst("\\.k8s\\.io$", "").split("\\.", -1)) {
      name.append(capital(part.isEmpty() ? "core" : part));
    }
    return name.toString();
  }

  /// `rbacAuthorization_v1`.
  static String tag(String group, String version) {
    String camel = camel(group);
    String name = camel.substring(0, 1).toLowerCase(Locale.ROOT) + camel.substring(1);
    return version.isEmpty() ? name : name + "_" + version;
  }

  static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  /// `/api/v1` or `/apis/apps/v1`.
  static String path(String group, String version) {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
  }
}
