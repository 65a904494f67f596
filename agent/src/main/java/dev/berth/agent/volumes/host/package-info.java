/// Volumes in directories of this node: all volumes of a pod, and the refresh of their files.
///
/// Start with [dev.berth.agent.volumes.host.HostVolumes].
@NullMarked
package dev.berth.agent.volumes.host;

import org.jspecify.annotations.NullMarked;
