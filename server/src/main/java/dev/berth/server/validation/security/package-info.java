/// Rules of security contexts, of pods and of containers.
///
/// Start at {@link dev.berth.server.validation.security.SecurityRules}.
@NullMarked
package dev.berth.server.validation.security;

import org.jspecify.annotations.NullMarked;
