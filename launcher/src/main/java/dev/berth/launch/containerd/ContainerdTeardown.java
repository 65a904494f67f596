package dev.berth.launch.containerd;

import dev.berth.agent.runtimes.registry.UnattendedSandboxes;
import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Takes away what the containerds of a data directory have on the machine: pods, processes,
/// mounts, networks. Images and everything else in the directory stay.
public final class ContainerdTeardown {
  /// How long one that runs may take to answer before it counts as hanging, and one that is
  /// started.
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

  /// Does nothing where no containerd was started.
  ///
  /// @param grace how long containers may take to end by themselves
  /// @param progress is told what was done
  public static void run(Path dataDir, Duration grace, Consumer<String> progress) {
    if (!isNeeded(dataDir)) {
      progress.accept("no containerd was started in " + dataDir);
      return;
    }
    RuntimePrograms programs = RuntimePrograms.ofThisMachine();
    if (!programs.missing().isEmpty()) {
      throw new ContainerdException(
          new Problem(
              "the containerd in %s cannot be ended in order".formatted(dataDir),
              "these are missing: " + String.join(", ", programs.missing()),
              "Install them again with `berth up --install`"));
    }
    try {
      new ContainerdTeardown(PrivateContainerd.of(dataDir, programs), dataDir, progress).all(grace);
    } catch (IOException e) {
      throw new ContainerdException(
          new Problem(
              "not everything in %s could be ended".formatted(dataDir),
              String.valueOf(e.getMessage()),
              "Mend that and call `berth down` again"));
    }
  }

  /// Takes away what was mounted for pods of which none is left.
  public static void unmount(Path dataDir) throws IOException {
    for (Path place : KernelMounts.now().below(dataDir)) {
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

  /// One that crashed or hangs is started again: nobody else ends its pods as thoroughly.
  private boolean serves(ContainerdDaemon daemon) throws IOException {
    String config = Files.readString(daemon.directory().config());
    boolean ran = daemon.process().isPresent();
    daemon.launch(config);
    if (daemon.servesWithin(ran ? ANSWERS_IN : STARTS_IN)) {
      return true;
    }
    if (!ran || daemon.process().isEmpty()) {
      return false;
    }
    progress.accept(
        "%s: killed and started again, because it has not answered for %d s"
            .formatted(daemon.plan().name(), ANSWERS_IN.toSeconds()));
    daemon.kill();
    daemon.launch(config);
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
