/// Who asks for what: the words that authentication and authorization share.
///
/// Start at {@link dev.berth.server.auth.AccessRequest}.
@NullMarked
package dev.berth.server.auth;

import org.jspecify.annotations.NullMarked;
