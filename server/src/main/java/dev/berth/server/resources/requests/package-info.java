/// What a request for a resource says: target, query, options, body, and what strict decoding finds
/// in it.
///
/// Start at {@link dev.berth.server.resources.requests.RequestTarget}.
@NullMarked
package dev.berth.server.resources.requests;

import org.jspecify.annotations.NullMarked;
