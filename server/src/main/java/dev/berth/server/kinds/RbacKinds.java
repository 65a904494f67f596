package dev.berth.server.kinds;

import dev.berth.server.schema.Schema;
import dev.berth.server.validation.NameRule;
import java.util.List;

/// The entries of the group rbac.authorization.k8s.io.
final class RbacKinds {
  private RbacKinds() {}

  static List<ResourceKind> entries(Schema schema) {
    return List.of(
        entry(schema, "Role", "roles").build(),
        entry(schema, "RoleBinding", "rolebindings").build(),
        entry(schema, "ClusterRole", "clusterroles").cluster().build(),
        entry(schema, "ClusterRoleBinding", "clusterrolebindings").cluster().build());
  }

  private static KindEntry entry(Schema schema, String kind, String plural) {
    return KindEntry.of("rbac.authorization.k8s.io", kind, plural)
        .named(NameRule.PATH_SEGMENT)
        .version("v1", schema.type("rbac.v1." + kind))
        .createOnUpdate();
  }
}
