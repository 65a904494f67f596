/// Frames and values of the guest's protocol (`runtime-vm/guest/PROTOCOL.md`), in both directions.
///
/// Whatever a guest sends is read through [dev.berth.vm.guest.wire.FrameReader] and
/// [dev.berth.vm.guest.wire.BodyReader], which check every number before anything is allocated.
@NullMarked
package dev.berth.vm.guest.wire;

import org.jspecify.annotations.NullMarked;
