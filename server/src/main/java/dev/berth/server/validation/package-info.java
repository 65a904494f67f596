/// Rules that objects must keep, with upstream's field paths and texts; every broken rule is
/// reported at once. Here is how broken rules are collected and printed, in the rooms below are the
/// rules by kind. `validation.fields` has the rules that many kinds share.
///
/// Start at {@link dev.berth.server.validation.FieldErrors}.
@NullMarked
package dev.berth.server.validation;

import org.jspecify.annotations.NullMarked;
