/// Images of real registries, by the project's own client (`dev.berth.registry`), with failures in
/// containerd's words. Start at `RegistryImages`.
@NullMarked
package dev.berth.sim.registry;

import org.jspecify.annotations.NullMarked;
