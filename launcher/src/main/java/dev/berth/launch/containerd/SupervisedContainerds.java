package dev.berth.launch.containerd;

import dev.berth.launch.process.ProcessSupervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Private containerds under supervision until this is closed; afterwards they keep running
/// unsupervised.
public final class SupervisedContainerds implements AutoCloseable {
  /// A supervised containerd.
  ///
  /// @param patience time limit for its first answer
  record Kept(ContainerdDaemon daemon, ProcessSupervisor supervisor, Duration patience) {}

  private final List<ProcessSupervisor> keepers;
  private final List<RuntimeSocket> sockets;

  private SupervisedContainerds(List<ProcessSupervisor> keepers, List<RuntimeSocket> sockets) {
    this.keepers = List.copyOf(keepers);
    this.sockets = List.copyOf(sockets);
  }

  /// Waits for the first answers of all containerds at the same time.
  static SupervisedContainerds of(List<Kept> kept) {
    long begun = System.nanoTime();
    List<RuntimeSocket> sockets = new ArrayList<>();
    for (Kept one : kept) {
      Duration left = one.patience().minusNanos(System.nanoTime() - begun);
      sockets.add(
          socket(
              one.daemon(),
              one.supervisor().awaitFirstStart(left.isNegative() ? Duration.ZERO : left)));
    }
    return new SupervisedContainerds(kept.stream().map(Kept::supervisor).toList(), sockets);
  }

  private static RuntimeSocket socket(ContainerdDaemon daemon, String obstacle) {
    return new RuntimeSocket(
        daemon.plan().name(),
        daemon.directory().socket(),
        new ArrayList<>(daemon.plan().handlers().keySet()),
        obstacle);
  }

  /// The sockets of all containerds, including those that do not serve yet.
  public List<RuntimeSocket> sockets() {
    return sockets;
  }

  @Override
  public void close() {
    keepers.forEach(ProcessSupervisor::close);
  }
}
