/// Whether a request is allowed, who asks that, and who may grant rights.
///
/// Start at {@link dev.berth.server.auth.authorization.Authorizer}.
@NullMarked
package dev.berth.server.auth.authorization;

import org.jspecify.annotations.NullMarked;
