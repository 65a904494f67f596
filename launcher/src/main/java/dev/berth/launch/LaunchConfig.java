package dev.berth.launch;

import dev.berth.server.ServerConfig;
import java.net.InetAddress;
import java.nio.file.Path;

/// Everything that the command line decides about a control plane, already checked.
///
/// @param scheduler whether pods are scheduled here, not by a process of their own
public record LaunchConfig(ServerConfig server, StoreChoice store, boolean scheduler) {
  /// One with an embedded store on any free port of the loopback interface.
  public static LaunchConfig embedded(Path dataDir) {
    return new LaunchConfig(
        ServerConfig.of(dataDir, InetAddress.getLoopbackAddress(), 0),
        new StoreChoice.Embedded(),
        true);
  }

  /// Holds all state: the journal, certificates, kubeconfigs.
  public Path dataDir() {
    return server.dataDir();
  }
}
