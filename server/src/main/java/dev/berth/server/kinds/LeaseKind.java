package dev.berth.server.kinds;

import dev.berth.server.schema.Schema;

/// The entry of Lease.
final class LeaseKind {
  private LeaseKind() {}

  static ResourceKind entry(Schema schema) {
    return KindEntry.of("coordination.k8s.io", "Lease", "leases")
        .version("v1", schema.type("coordination.v1.Lease"))
        .createOnUpdate()
        .conditionalUpdate()
        .build();
  }
}
