/// The client of the program inside a guest. [GuestAgent] is where to start reading;
/// `runtime-vm/guest` has the program and its protocol.
///
/// The guest may be hostile: nothing that it sends is believed beyond what a bound allows, and
/// whatever does not fit the protocol ends the connection.
@NullMarked
package dev.berth.vm.guest;

import org.jspecify.annotations.NullMarked;
