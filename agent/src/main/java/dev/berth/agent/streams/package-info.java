/// Logs, exec, attach and port-forward of this node's pods: finds the container and relays bytes.
///
/// Start with [dev.berth.agent.streams.PodDirectory], which `agent.pods` implements. What a stream
/// carries is between the client and the runtime, but for newer WebSocket clients, whose channels
/// [dev.berth.agent.streams.CommandTranslation] translates to SPDY.
@NullMarked
package dev.berth.agent.streams;

import org.jspecify.annotations.NullMarked;
