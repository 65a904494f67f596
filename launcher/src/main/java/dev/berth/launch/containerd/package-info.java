/// The private containerd of Berth, for machines on which the programs are installed but no runtime
/// runs: configuration, processes, network, and teardown.
///
/// Everything is below one directory. It uses the rooms `programs` and `images`, and no other
/// package of the launcher. Start reading at {@link dev.berth.launch.containerd.PrivateContainerd}.
@NullMarked
package dev.berth.launch.containerd;

import org.jspecify.annotations.NullMarked;
