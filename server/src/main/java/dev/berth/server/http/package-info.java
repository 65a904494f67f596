/// The wire: Jetty, what a request asks for, content negotiation, answers and streams.
///
/// Start at {@link dev.berth.server.http.ApiHandler}.
@NullMarked
package dev.berth.server.http;

import org.jspecify.annotations.NullMarked;
