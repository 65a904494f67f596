/// The path of a request: its composition from the rooms below. `transport` moves bytes, `encoding`
/// turns objects into bytes, `guard` decides whether a request is served, `routing` finds the verb,
/// `endpoints` serves the other paths, `nodeproxy` passes requests on to nodes.
///
/// Start at {@link dev.berth.server.http.ApiHandler}.
@NullMarked
package dev.berth.server.http;

import org.jspecify.annotations.NullMarked;
