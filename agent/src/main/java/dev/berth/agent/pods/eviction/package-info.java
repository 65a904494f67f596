/// Acts on what `agent.pressure` decides: reclaims disk space and evicts pods.
///
/// Start with [dev.berth.agent.pods.eviction.PodEviction].
@NullMarked
package dev.berth.agent.pods.eviction;

import org.jspecify.annotations.NullMarked;
