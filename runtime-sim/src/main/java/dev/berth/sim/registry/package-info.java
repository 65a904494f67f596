/// Images of real registries: a reader of the OCI distribution API that knows manifests, indexes
/// and configurations, and never a layer. Start at `RegistryImages`.
@NullMarked
package dev.berth.sim.registry;

import org.jspecify.annotations.NullMarked;
