/// A CRI runtime service that runs each pod in a virtual machine of its own, by QEMU.
///
/// Rooms, lower ones first: `kernel` (kernel, modules and first file system of guests), `guest`
/// (the channel to the program inside a guest), `network` (CNI), `machine` (QEMU processes and
/// their monitor), `template` (saved machines and their clones), `images` (layers as EROFS), `pods`
/// (sandboxes and containers), `service` (one class per CRI verb).
///
/// May use `cri` and `registry`.
@NullMarked
package dev.berth.vm;

import org.jspecify.annotations.NullMarked;
