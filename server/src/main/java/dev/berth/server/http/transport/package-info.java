/// The wire: Jetty, TLS, HTTP/2, request bodies, answers in pieces, WebSockets, connections inside
/// the process, and the limits of all these. Knows no kinds.
///
/// Start at {@link dev.berth.server.http.transport.ServerExchange}.
@NullMarked
package dev.berth.server.http.transport;

import org.jspecify.annotations.NullMarked;
