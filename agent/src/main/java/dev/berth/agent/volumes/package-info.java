/// What pods find in their file systems beside their images.
///
/// Start with [dev.berth.agent.volumes.PodVolumes].
@NullMarked
package dev.berth.agent.volumes;

import org.jspecify.annotations.NullMarked;
