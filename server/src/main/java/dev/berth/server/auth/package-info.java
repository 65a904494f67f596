/// Who asks and whether they may: authentication, RBAC, access reviews, tokens, bootstrap policy.
///
/// Start at {@link dev.berth.server.auth.Authenticator} and {@link
/// dev.berth.server.auth.Authorizer}. Knows nothing of HTTP: header values and certificates come in
/// as they are; live objects are read through {@link dev.berth.server.auth.ObjectReader}.
@NullMarked
package dev.berth.server.auth;

import org.jspecify.annotations.NullMarked;
