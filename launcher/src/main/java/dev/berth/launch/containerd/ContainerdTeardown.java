package dev.berth.launch.containerd;

import dev.berth.agent.runtimes.registry.UnattendedSandboxes;
import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.launch.containerd.programs.ContainerdException;
import dev.berth.launch.containerd.programs.ProgramRunner;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import dev.berth.registry.configuration.RegistryAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Removes what the private containerds of a data directory have on the machine: pods, processes,
/// mounts and networks. Images and other files in the directory stay.
///
/// The order is pods, containerd, shims, mounts, networks: each step needs what the next one
/// removes. A teardown that was interrupted can be repeated.
public final class ContainerdTeardown {
  /// Time that a running containerd has to answer before it counts as hanging, and time that a
  /// started one has.
  private static final Duration ANSWERS_IN = Duration.ofSeconds(10);

  private static final Duration STARTS_IN = Duration.ofSeconds(30);

  private final PrivateContainerd containerd;
  private final Path dataDir;
  private final Consumer<String> progress;

  private ContainerdTeardown(
      PrivateContainerd containerd, Path dataDir, Consumer<String> progress) {
    this.containerd = containerd;
    this.dataDir = dataDir;
    this.progress = progress;
  }

  /// Whether there may be something to end.
  public static boolean isNeeded(Path dataDir) {
    return Files.isDirectory(PrivateContainerd.directoryOf(dataDir));
  }

  /// Ends everything. Does nothing if no containerd was started.
  ///
  /// @param grace time that containers have to terminate
  /// @param progress receives a line per action
  public static void run(Path dataDir, Duration grace, Consumer<String> progress) {
    if (!isNeeded(dataDir)) {
      progress.accept("no containerd was started in " + dataDir);
      return;
    }
    RuntimePrograms programs = RuntimePrograms.ofThisMachine();
    if (!programs.missing().isEmpty()) {
      throw new ContainerdException(
          new Problem(
              "the containerd in %s cannot be stopped in order".formatted(dataDir),
              "these are missing: " + String.join(", ", programs.missing()),
              "Install them again with `berth up --install`"));
    }
    try {
      new ContainerdTeardown(
              PrivateContainerd.of(dataDir, programs, RegistryAccess.USUAL), dataDir, progress)
          .all(grace);
    } catch (IOException e) {
      throw new ContainerdException(
          new Problem(
              "not everything in %s could be stopped".formatted(dataDir),
              String.valueOf(e.getMessage()),
              "Correct the cause and run `berth down` again"));
    }
  }

  /// Unmounts what was mounted for pods, once no pod is left.
  public static void unmount(Path dataDir) throws IOException {
    for (Path place : KernelMounts.now().below(dataDir)) {
      // Lazy: a process that still has a file open there must not prevent the teardown.
      ProgramRunner.run(List.of("umount", "-l", place.toString()));
    }
  }

  private void all(Duration grace) throws IOException {
    for (ContainerdDaemon daemon : containerd.started()) {
      end(daemon, grace);
    }
    unmount(dataDir);
    containerd.shared().unshare();
    NetworkCleanup.of(containerd.directory()).clear();
  }

  private void end(ContainerdDaemon daemon, Duration grace) throws IOException {
    String name = daemon.plan().name();
    if (daemon.process().isPresent() || daemon.directory().hasContainers()) {
      if (serves(daemon)) {
        endPods(daemon, grace);
      } else {
        progress.accept(name + ": its pods are killed, because it does not answer");
        daemon.kill();
      }
    }
    daemon.end();
    daemon.endShims();
    progress.accept(name + ": stopped");
  }

  /// A containerd that crashed or hangs is restarted first, because only it stops its pods
  /// completely.
  private boolean serves(ContainerdDaemon daemon) throws IOException {
    String config = Files.readString(daemon.directory().config());
    boolean ran = daemon.process().isPresent();
    daemon.launch(config, Map.of());
    if (daemon.servesWithin(ran ? ANSWERS_IN : STARTS_IN)) {
      return true;
    }
    if (!ran || daemon.process().isEmpty()) {
      return false;
    }
    progress.accept(
        "%s: killed and restarted, because it did not answer for %d s"
            .formatted(daemon.plan().name(), ANSWERS_IN.toSeconds()));
    daemon.kill();
    daemon.launch(config, Map.of());
    return daemon.servesWithin(STARTS_IN);
  }

  private void endPods(ContainerdDaemon daemon, Duration grace) {
    String name = daemon.plan().name();
    try {
      int pods =
          UnattendedSandboxes.endAll(
              new CriEndpoint.UnixSocket(daemon.directory().socket()), grace);
      progress.accept("%s: %d pods ended".formatted(name, pods));
    } catch (CriException e) {
      progress.accept("%s: its pods are killed, because %s".formatted(name, e.getMessage()));
    }
  }
}
