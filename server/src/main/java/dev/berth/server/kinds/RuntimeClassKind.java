package dev.berth.server.kinds;

import dev.berth.server.defaults.Defaults;
import dev.berth.server.schema.Schema;
import dev.berth.server.validation.RuntimeClassValidation;

/// The entry of RuntimeClass, stored as v1 and served in all versions that ever were.
final class RuntimeClassKind {
  private static final String GROUP = "node.k8s.io";

  private RuntimeClassKind() {}

  static ResourceKind entry(Schema schema, KindOptions options) {
    return KindEntry.of(GROUP, "RuntimeClass", "runtimeclasses")
        .cluster()
        .version("v1", schema.type("node.v1.RuntimeClass"))
        .served(
            new ServedVersion(
                GROUP, "v1beta1", schema.type("node.v1beta1.RuntimeClass"), Conversion.RENAMED))
        .served(
            new ServedVersion(
                GROUP,
                "v1alpha1",
                schema.type("node.v1alpha1.RuntimeClass"),
                new RuntimeClassAlphaConversion()))
        .createOnUpdate()
        .conditionalUpdate()
        .rules(Defaults.NONE, new RuntimeClassValidation(options.immutableRuntimeHandlers()))
        .build();
  }
}
