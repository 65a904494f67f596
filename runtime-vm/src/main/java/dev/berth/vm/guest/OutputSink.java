package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestStream;

/// Takes the output of a program. A call that blocks stops the program once the buffers between are
/// full; a call that throws kills it.
@FunctionalInterface
public interface OutputSink {
  void output(GuestStream stream, byte[] bytes);
}
