/// The streaming endpoint that runtimes offer at the URLs of `Exec`, `Attach` and `PortForward`:
/// Kubernetes' remote command protocols over SPDY/3.1 and WebSocket, for our own runtimes, and SPDY
/// frames for the agent, which relays them. Start at `StreamingServer`.
@NullMarked
package dev.berth.cri.streaming;

import org.jspecify.annotations.NullMarked;
