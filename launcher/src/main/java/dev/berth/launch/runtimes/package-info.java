/// Which runtime services a node uses: those that run on this machine, those of an earlier start, a
/// private containerd, and the locks by which one agent at a time uses them.
///
/// It knows neither the agent nor the control plane. Start reading at {@link
/// dev.berth.launch.runtimes.ChosenRuntimes}.
@NullMarked
package dev.berth.launch.runtimes;

import org.jspecify.annotations.NullMarked;
