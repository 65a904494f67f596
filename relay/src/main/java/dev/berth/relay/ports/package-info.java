/// What the HTTPS ports of Berth (API server and node) have in common: strict HTTP, and limits on
/// connections, in total and of one address.
///
/// Start with [dev.berth.relay.ports.SecurePort] and [dev.berth.relay.ports.ConnectionGuard].
@NullMarked
package dev.berth.relay.ports;

import org.jspecify.annotations.NullMarked;
