/// Roles, bindings, and those that every cluster starts with.
///
/// Start at {@link dev.berth.server.auth.rbac.RbacPolicy}.
@NullMarked
package dev.berth.server.auth.rbac;

import org.jspecify.annotations.NullMarked;
