/// Files that the agent writes into volumes: where their content comes from, and how a directory
/// changes all at once.
///
/// Start with [dev.berth.agent.volumes.payloads.VolumePayloads].
@NullMarked
package dev.berth.agent.volumes.payloads;

import org.jspecify.annotations.NullMarked;
