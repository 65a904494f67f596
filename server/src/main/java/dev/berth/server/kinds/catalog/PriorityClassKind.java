package dev.berth.server.kinds.catalog;

import dev.berth.server.defaults.CoreDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.cluster.PriorityClassValidation;

/// The entry of PriorityClass.
final class PriorityClassKind {
  private PriorityClassKind() {}

  static ResourceKind entry(ObjectSchema schema) {
    return KindEntry.of("scheduling.k8s.io", "PriorityClass", "priorityclasses")
        .cluster()
        .shortNames("pc")
        .version("v1", schema.type("scheduling.v1.PriorityClass"))
        .rules(CoreDefaults::priorityClass, new PriorityClassValidation())
        .build();
  }
}
