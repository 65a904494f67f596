/// A containerd of Berth's own, for machines on which the programs are installed but no runtime
/// runs: its configuration, its processes, its network, its first images, and how all of that is
/// taken away again.
///
/// Everything is below one directory. It uses no other package of the launcher. Start reading at
/// {@link dev.berth.launch.containerd.PrivateContainerd}.
@NullMarked
package dev.berth.launch.containerd;

import org.jspecify.annotations.NullMarked;
