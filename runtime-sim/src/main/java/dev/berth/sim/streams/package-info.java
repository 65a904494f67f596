/// The streaming endpoint of simulated containers: Kubernetes' remote command and port forwarding
/// protocols over WebSocket and SPDY. Start at `StreamingServer`.
@NullMarked
package dev.berth.sim.streams;

import org.jspecify.annotations.NullMarked;
