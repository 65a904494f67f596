/// What runs in simulated containers: a small shell with the commands that examples and tests use,
/// and files that live in memory or in the container's mounts. Start at `ShellProgram` and
/// `SimShell`.
///
/// Knows time, and nothing of pods.
@NullMarked
package dev.berth.sim.shell;

import org.jspecify.annotations.NullMarked;
