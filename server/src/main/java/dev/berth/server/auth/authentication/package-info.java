/// Who makes a request: client certificates, bearer tokens, impersonation.
///
/// Start at {@link dev.berth.server.auth.authentication.Authenticator}.
@NullMarked
package dev.berth.server.auth.authentication;

import org.jspecify.annotations.NullMarked;
