package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;

/// What the guest reports by itself. Calls about one container come one after the other, from a
/// thread of that container: a call that blocks delays nothing else.
public interface GuestListener {
  /// Output of a container. The bytes count as received when the call returns; the guest forgets
  /// them then. A call that throws ends the connection.
  ///
  /// @param offset of the first byte in its stream
  void output(String container, GuestStream stream, long offset, byte[] bytes);

  /// A container ended, and its output came before. Comes again after every connect until the
  /// container is removed.
  void exited(String container, GuestExit exit);

  /// The connection is gone, once, whoever ended it. Guest and containers may still run.
  void disconnected(Problem reason);
}
