package dev.berth.launch.controlplane;

import dev.berth.launch.agent.LocalNode;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.server.ServerConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The configuration of a control plane: what the command line decides, already checked.
///
/// @param clients the components that run beside the server
/// @param node the node in the same process; null for none
public record LaunchConfig(
    ServerConfig server, StoreChoice store, LocalClients clients, @Nullable LocalNode node) {
  /// The clients of the server in its process.
  ///
  /// @param controllers whether the loops run here
  /// @param scheduler whether pods are scheduled here, not by a process of their own
  /// @param approveServing whether serving certificates of nodes are approved by rule
  /// @param classes how that scheduler treats RuntimeClasses which do not say so themselves
  public record LocalClients(
      boolean controllers, boolean scheduler, boolean approveServing, ClassScheduling classes) {
    public static final LocalClients ALL = new LocalClients(true, true);

    public LocalClients(boolean controllers, boolean scheduler) {
      this(controllers, scheduler, ClassScheduling.OFFERED);
    }

    public LocalClients(boolean controllers, boolean scheduler, ClassScheduling classes) {
      this(controllers, scheduler, true, classes);
    }
  }

  /// A control plane with an embedded store, on any free port of the loopback interface.
  public static LaunchConfig embedded(Path dataDir) {
    return new LaunchConfig(
        ServerConfig.of(dataDir, InetAddress.getLoopbackAddress(), 0),
        new StoreChoice.Embedded(),
        LocalClients.ALL,
        null);
  }

  public LaunchConfig with(LocalNode added) {
    return new LaunchConfig(server, store, clients, added);
  }

  /// The directory with all state: the journal, certificates, kubeconfigs.
  public Path dataDir() {
    return server.dataDir();
  }
}
