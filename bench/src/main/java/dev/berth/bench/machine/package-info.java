/// Processes and directories of a run.
///
/// Start with [dev.berth.bench.machine.ProcessUse].
@NullMarked
package dev.berth.bench.machine;

import org.jspecify.annotations.NullMarked;
