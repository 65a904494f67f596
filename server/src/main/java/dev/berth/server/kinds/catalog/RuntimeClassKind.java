package dev.berth.server.kinds.catalog;

import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.VersionConversion;
import dev.berth.server.kinds.conversions.RuntimeClassAlphaConversion;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.cluster.RuntimeClassValidation;

/// The entry of RuntimeClass, stored as v1 and served in all of its versions.
final class RuntimeClassKind {
  private static final String GROUP = "node.k8s.io";

  private RuntimeClassKind() {}

  static ResourceKind entry(ObjectSchema schema, KindOptions options) {
    return KindEntry.of(GROUP, "RuntimeClass", "runtimeclasses")
        .cluster()
        .version("v1", schema.type("node.v1.RuntimeClass"))
        .served(
            new ServedVersion(
                GROUP,
                "v1beta1",
                schema.type("node.v1beta1.RuntimeClass"),
                VersionConversion.RENAMED))
        .served(
            new ServedVersion(
                GROUP,
                "v1alpha1",
                schema.type("node.v1alpha1.RuntimeClass"),
                new RuntimeClassAlphaConversion()))
        .createOnUpdate()
        .conditionalUpdate()
        .rules(ObjectDefaults.NONE, new RuntimeClassValidation(options.immutableRuntimeHandlers()))
        .build();
  }
}
