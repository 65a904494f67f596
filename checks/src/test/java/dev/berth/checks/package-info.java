/// Rules about the code as a whole: module arrows, package cycles, house rules, sizes.
///
/// Start reading at {@link dev.berth.checks.ArchitectureTest}; a new module gets its line in {@link
/// dev.berth.checks.Modules}.
@NullMarked
package dev.berth.checks;

import org.jspecify.annotations.NullMarked;
