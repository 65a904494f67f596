/// The types of volumes, one class each.
///
/// Start with [dev.berth.agent.volumes.types.VolumePlugin], then `VolumePlugins`, the list.
@NullMarked
package dev.berth.agent.volumes.types;

import org.jspecify.annotations.NullMarked;
