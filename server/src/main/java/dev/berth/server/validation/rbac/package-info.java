/// Rules of roles and bindings of roles.
///
/// Start at {@link dev.berth.server.validation.rbac.RoleValidation}.
@NullMarked
package dev.berth.server.validation.rbac;

import org.jspecify.annotations.NullMarked;
