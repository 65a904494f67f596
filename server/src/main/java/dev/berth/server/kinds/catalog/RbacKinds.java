package dev.berth.server.kinds.catalog;

import dev.berth.server.defaults.CoreDefaults;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.fields.NameRule;
import dev.berth.server.validation.rbac.RoleBindingValidation;
import dev.berth.server.validation.rbac.RoleValidation;
import java.util.List;

/// The entries of the group rbac.authorization.k8s.io.
final class RbacKinds {
  private RbacKinds() {}

  static List<ResourceKind> entries(ObjectSchema schema) {
    return List.of(
        entry(schema, "Role", "roles").rules(ObjectDefaults.NONE, new RoleValidation(true)).build(),
        entry(schema, "RoleBinding", "rolebindings")
            .rules(CoreDefaults::roleBinding, new RoleBindingValidation(true))
            .build(),
        entry(schema, "ClusterRole", "clusterroles")
            .cluster()
            .rules(ObjectDefaults.NONE, new RoleValidation(false))
            .build(),
        entry(schema, "ClusterRoleBinding", "clusterrolebindings")
            .cluster()
            .rules(CoreDefaults::roleBinding, new RoleBindingValidation(false))
            .build());
  }

  private static KindEntry entry(ObjectSchema schema, String kind, String plural) {
    return KindEntry.of("rbac.authorization.k8s.io", kind, plural)
        .named(NameRule.PATH_SEGMENT)
        .version("v1", schema.type("rbac.v1." + kind))
        .createOnUpdate();
  }
}
