/// The programs of a container runtime on this machine: where they are, how they are installed and
/// run.
///
/// Start reading at {@link dev.berth.launch.containerd.programs.RuntimePrograms}.
@NullMarked
package dev.berth.launch.containerd.programs;

import org.jspecify.annotations.NullMarked;
