package dev.berth.vm.template;

import dev.berth.api.Problem;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.GuestListener;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import java.nio.file.Path;
import java.time.Duration;

/// Finds out that a guest has booted.
@FunctionalInterface
public interface GuestProbe {
  /// Returns when the guest program answered and the connection to it is closed again.
  ///
  /// @throws RuntimeException if it did not answer within the limit, or its machine is gone
  void await(Path agentSocket, Duration limit);

  /// Asks the program that Berth's guests run.
  static GuestProbe agent() {
    return (socket, limit) -> GuestAgent.connect(socket, limit, new SilentListener()).close();
  }

  /// A guest without containers has nothing to report.
  final class SilentListener implements GuestListener {
    @Override
    public void output(String container, GuestStream stream, long offset, byte[] bytes) {}

    @Override
    public void exited(String container, GuestExit exit) {}

    @Override
    public void disconnected(Problem reason) {}
  }
}
