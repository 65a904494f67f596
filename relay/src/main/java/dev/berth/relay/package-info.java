/// Passes HTTP requests on to another server, and relays connections that leave HTTP as bytes.
///
/// Both the API server (towards nodes) and the node (towards a runtime's streaming server) do that;
/// neither looks into what SPDY or WebSocket carry, unless a [dev.berth.relay.RelaySession]
/// translates between them. Start with [dev.berth.relay.BackendCall] and
/// [dev.berth.relay.UpgradedConnection]. Blocking code: every call belongs to a virtual thread.
@NullMarked
package dev.berth.relay;

import org.jspecify.annotations.NullMarked;
