package dev.berth.server.kinds.catalog;

import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.strategies.LeaseStrategy;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.cluster.LeaseValidation;

/// The entry of Lease.
final class LeaseKind {
  private LeaseKind() {}

  static ResourceKind entry(ObjectSchema schema) {
    return KindEntry.of("coordination.k8s.io", "Lease", "leases")
        .version("v1", schema.type("coordination.v1.Lease"))
        .createOnUpdate()
        .conditionalUpdate()
        .metadataCheckedOnce()
        .rules(ObjectDefaults.NONE, new LeaseValidation())
        .strategy(new LeaseStrategy())
        .build();
  }
}
