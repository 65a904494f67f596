/// A runtime without a machine: a CRI server whose pods, containers, images and virtual machines
/// live in memory, for any system and any handlers, with faults on demand. Start at `Simulator`.
///
/// May use `cri` only.
@NullMarked
package dev.berth.sim;

import org.jspecify.annotations.NullMarked;
