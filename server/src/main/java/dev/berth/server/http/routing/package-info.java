/// From method and path to the verb of a kind or of a subresource.
///
/// Start at {@link dev.berth.server.http.routing.ResourceDispatcher}.
@NullMarked
package dev.berth.server.http.routing;

import org.jspecify.annotations.NullMarked;
