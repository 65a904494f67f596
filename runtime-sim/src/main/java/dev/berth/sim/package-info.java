/// A simulated container runtime: a CRI server that keeps pods, containers, images and virtual
/// machines in memory. It plays any system and any handlers, and fails on demand. Start at
/// `Simulator`.
///
/// May use `cri` only.
@NullMarked
package dev.berth.sim;

import org.jspecify.annotations.NullMarked;
