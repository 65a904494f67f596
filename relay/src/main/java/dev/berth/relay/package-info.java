/// Forwards HTTP requests to another server, and relays upgraded connections as bytes.
///
/// The API server (towards nodes) and the node (towards a runtime's streaming server) both use it.
/// Neither interprets SPDY or WebSocket, unless a [dev.berth.relay.RelaySession] translates between
/// them. Start with [dev.berth.relay.BackendCall] and [dev.berth.relay.UpgradedConnection]. The
/// code blocks: each call belongs to a virtual thread.
@NullMarked
package dev.berth.relay;

import org.jspecify.annotations.NullMarked;
