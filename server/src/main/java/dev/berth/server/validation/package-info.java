/// Rules that objects must keep, with upstream's field paths and texts; every broken rule is
/// reported at once.
///
/// Start at {@link dev.berth.server.validation.FieldErrors}.
@NullMarked
package dev.berth.server.validation;

import org.jspecify.annotations.NullMarked;
