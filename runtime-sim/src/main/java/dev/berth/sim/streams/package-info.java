/// Terminals, commands and ports of simulated containers over a real streaming endpoint: the
/// kubelet's remote command and port forwarding protocols on WebSockets and SPDY. Start at
/// `StreamingServer`.
@NullMarked
package dev.berth.sim.streams;

import org.jspecify.annotations.NullMarked;
