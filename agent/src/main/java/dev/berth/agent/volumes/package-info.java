/// What pods find in their file systems beside their images, as the rest of the agent sees it.
///
/// Start with [dev.berth.agent.volumes.PodVolumes]; `host` implements it, with the volume types of
/// `types`.
@NullMarked
package dev.berth.agent.volumes;

import org.jspecify.annotations.NullMarked;
