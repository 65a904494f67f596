/// Mounts of containers: what the host has at a path, and how a guest gets it.
///
/// Start with `VolumePlanner`.
@NullMarked
package dev.berth.vm.pods.volumes;

import org.jspecify.annotations.NullMarked;
