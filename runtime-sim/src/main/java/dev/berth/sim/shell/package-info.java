/// The programs of simulated containers: a small shell with the commands that examples and tests
/// use, and files in memory or in mounts. Start at `ShellProgram` and `SimShell`.
///
/// Uses the clock, and knows nothing of pods.
@NullMarked
package dev.berth.sim.shell;

import org.jspecify.annotations.NullMarked;
