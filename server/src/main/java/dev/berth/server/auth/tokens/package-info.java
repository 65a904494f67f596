/// Bearer tokens: of service accounts, for nodes that join, from a file; their keys and requests
/// for them.
///
/// Start at {@link dev.berth.server.auth.tokens.ServiceAccountTokens}.
@NullMarked
package dev.berth.server.auth.tokens;

import org.jspecify.annotations.NullMarked;
