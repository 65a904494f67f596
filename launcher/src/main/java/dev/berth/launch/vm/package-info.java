/// The VM runtime of a node: what it needs on the machine and how that is installed, and its
/// process, which outlives the one that started it.
///
/// Start reading at {@link dev.berth.launch.vm.PrivateVmRuntime}.
@NullMarked
package dev.berth.launch.vm;

import org.jspecify.annotations.NullMarked;
