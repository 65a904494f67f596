/// Logs, exec, attach and port-forward of this node's pods: finds the container and relays bytes.
///
/// Start with [dev.berth.agent.streams.PodDirectory], which `agent.pods` implements. What a stream
/// carries (SPDY, WebSocket) is between the client and the runtime; nothing here reads it.
@NullMarked
package dev.berth.agent.streams;

import org.jspecify.annotations.NullMarked;
