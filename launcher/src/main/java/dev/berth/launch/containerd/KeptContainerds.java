package dev.berth.launch.containerd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Containerds that are kept running until this is closed; then they run on, but alone.
public final class KeptContainerds implements AutoCloseable {
  /// One of them.
  ///
  /// @param patience how long its first answer is waited for
  record Kept(ContainerdDaemon daemon, Keeper keeper, Duration patience) {}

  private final List<Keeper> keepers;
  private final List<RuntimeSocket> sockets;

  private KeptContainerds(List<Keeper> keepers, List<RuntimeSocket> sockets) {
    this.keepers = List.copyOf(keepers);
    this.sockets = List.copyOf(sockets);
  }

  /// Waits for all of them at the same time.
  static KeptContainerds of(List<Kept> kept) {
    long begun = System.nanoTime();
    List<RuntimeSocket> sockets = new ArrayList<>();
    for (Kept one : kept) {
      Duration left = one.patience().minusNanos(System.nanoTime() - begun);
      sockets.add(
          socket(
              one.daemon(),
              one.keeper().awaitFirstStart(left.isNegative() ? Duration.ZERO : left)));
    }
    return new KeptContainerds(kept.stream().map(Kept::keeper).toList(), sockets);
  }

  private static RuntimeSocket socket(ContainerdDaemon daemon, String obstacle) {
    return new RuntimeSocket(
        daemon.plan().name(),
        daemon.folder().socket(),
        new ArrayList<>(daemon.plan().handlers().keySet()),
        obstacle);
  }

  /// All of them, also those that do not serve yet.
  public List<RuntimeSocket> sockets() {
    return sockets;
  }

  @Override
  public void close() {
    keepers.forEach(Keeper::close);
  }
}
