package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.RegistrationOrigin.DropIn;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The runtime services of a node with their persistence, the watched directory and the
/// administration socket.
public final class NodeRuntimes implements AutoCloseable {
  private static final String DROP_INS = "runtimes.d";
  private static final String SOCKET = "runtimes.sock";

  /// Watches miss changes on some file systems, such as NFS, so the directory is also read
  /// periodically.
  private static final Duration LOOK_AT_LEAST_EVERY = Duration.ofSeconds(10);

  private final RuntimeRegistry registry;
  private final DirectoryWatch watch;
  private final AdminServer admin;

  private NodeRuntimes(RuntimeRegistry registry, DirectoryWatch watch, AdminServer admin) {
    this.registry = registry;
    this.watch = watch;
    this.admin = admin;
  }

  /// Paths.
  ///
  /// @param data the agent's own directory
  /// @param dropIns the watched directory; created when it does not exist
  /// @param socket where `berth runtimes` finds the agent
  public record Places(Path data, Path dropIns, Path socket) {
    /// All below one directory.
    public static Places below(Path data) {
      return new Places(data, data.resolve(DROP_INS), data.resolve(SOCKET));
    }

    /// Paths for a simulation, which neither reads nor changes the node's registrations and
    /// records. What is added to it ends with it.
    public static Places ofSimulation(Path data) throws IOException {
      Path own = data.resolve("simulated");
      Places places = new Places(own, own.resolve(DROP_INS), data.resolve(SOCKET));
      if (Files.isDirectory(places.dropIns())) {
        try (Stream<Path> files = Files.list(places.dropIns())) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
      }
      return places;
    }

    /// The services of the directory's usable files.
    public List<RuntimeDeclaration> added() throws IOException {
      return Files.isDirectory(dropIns)
          ? List.copyOf(DropInScan.of(dropIns).services().values())
          : List.of();
    }
  }

  /// Starts everything without waiting for services.
  ///
  /// @param configured services from flags or configuration; they precede those of the directory
  public static NodeRuntimes start(
      Places places, List<RuntimeDeclaration> configured, RegistryContext dependencies)
      throws IOException {
    Files.createDirectories(places.data());
    Files.createDirectories(places.dropIns());
    DropInScan scan = DropInScan.of(places.dropIns());
    List<ServiceRegistration> registrations =
        new ArrayList<>(ServiceRegistration.configured(configured));
    scan.services()
        .forEach(
            (file, service) ->
                registrations.add(new ServiceRegistration(service, new DropIn(file))));
    RuntimeRegistry registry = RuntimeRegistry.open(places.data(), registrations, dependencies);
    try {
      var dropIns = new DropInDirectory(places.dropIns(), registry, scan);
      AdminServer admin = AdminServer.start(places.socket(), new AdminCommands(registry, dropIns));
      DirectoryWatch watch =
          DirectoryWatch.start(places.dropIns(), LOOK_AT_LEAST_EVERY, dropIns::apply);
      return new NodeRuntimes(registry, watch, admin);
    } catch (IOException | RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  public RuntimeRegistry registry() {
    return registry;
  }

  /// Stops everything; sandboxes keep running.
  @Override
  public void close() {
    admin.close();
    watch.close();
    registry.close();
  }
}
