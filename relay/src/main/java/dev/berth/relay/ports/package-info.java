/// The common parts of Berth's HTTPS ports (API server and node): strict HTTP, and limits on
/// connections in total and per source address.
///
/// Start with [dev.berth.relay.ports.SecurePort] and [dev.berth.relay.ports.ConnectionGuard].
@NullMarked
package dev.berth.relay.ports;

import org.jspecify.annotations.NullMarked;
