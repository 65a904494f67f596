package dev.berth.launch.containerd;

import dev.berth.api.PrivateFiles;
import dev.berth.launch.containerd.images.LocalImages;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import dev.berth.launch.process.ProcessSupervisor;
import dev.berth.registry.configuration.RegistryAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The private containerds of a data directory. They keep running when the process that started
/// them exits.
public final class PrivateContainerd {
  private static final Path ROUTES = Path.of("/proc/net/route");

  /// The first back-off between restarts.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// Time that a running containerd has to answer, and time that a started one has.
  private static final Duration ANSWERS_IN = Duration.ofSeconds(2);

  private static final Duration STARTS_IN = Duration.ofSeconds(30);

  private final Path dataDir;
  private final RuntimePrograms programs;
  private final HostInfo host;
  private final ContainerdRegistries registries;

  private PrivateContainerd(
      Path dataDir, RuntimePrograms programs, HostInfo host, RegistryAccess registries) {
    this.dataDir = dataDir;
    this.programs = programs;
    this.host = host;
    this.registries =
        new ContainerdRegistries(registries, directoryOf(dataDir).resolve("authorities"));
  }

  /// The private containerds of a data directory; nothing is started.
  ///
  /// @param programs none of which may be missing
  /// @param registries how it reaches registries
  public static PrivateContainerd of(
      Path dataDir, RuntimePrograms programs, RegistryAccess registries) {
    return new PrivateContainerd(dataDir, programs, HostInfo.ofThisMachine(), registries);
  }

  /// Starts the containerds that do not run, independently of each other, and supervises them until
  /// closed, because no service manager does. Those that serve in time have their first images when
  /// this method returns; one that hangs or cannot start is returned too, and supervised further.
  public SupervisedContainerds start() {
    List<ContainerdDaemon> daemons = daemons();
    OneTimePreparation preparation = new OneTimePreparation(() -> prepare(daemons));
    List<SupervisedContainerds.Kept> kept =
        daemons.stream()
            .map(
                daemon -> {
                  Duration patience = daemon.process().isPresent() ? ANSWERS_IN : STARTS_IN;
                  return new SupervisedContainerds.Kept(
                      daemon, keep(daemon, preparation), patience);
                })
            .toList();
    return SupervisedContainerds.of(kept);
  }

  private ProcessSupervisor keep(ContainerdDaemon daemon, OneTimePreparation preparation) {
    return ProcessSupervisor.of(
        daemon.plan().name(),
        () -> daemon.process().map(ProcessHandle::onExit),
        () -> {
          // Each step may be repeated: after a failure the supervisor runs all of them again.
          preparation.ensure();
          daemon.launch(config(daemon), registries.environment());
          daemon.awaitServing();
          load(daemon);
          daemon.endLostShims();
        },
        PAUSE);
  }

  private void prepare(List<ContainerdDaemon> daemons) throws IOException {
    makeDirectories();
    if (daemons.stream().anyMatch(daemon -> !daemon.plan().hiddenMount().isEmpty())) {
      shared().share();
    }
  }

  private void makeDirectories() throws IOException {
    PrivateFiles.createPrivateDirectory(directory());
    Files.createDirectories(networks());
    registries.prepare();
    PodNetwork network = PodNetwork.of(directory(), Files.readAllLines(ROUTES));
    Path file = networks().resolve("10-berth.conflist");
    String text = network.conflist(directory().resolve("addresses"), host.masquerade());
    // containerd reloads the file when it changes, and must never read a part of it.
    if (!PrivateFiles.holds(file, text)) {
      PrivateFiles.replace(file, text);
    }
  }

  private String config(ContainerdDaemon daemon) throws IOException {
    return new ContainerdConfig(
                daemon.plan(), daemon.directory(), host, networks(), programs.pluginDirectory())
            .text()
        + registries.config();
  }

  /// Imports the first images unless containerd has them: a pod without its sandbox image would
  /// need a registry.
  private void load(ContainerdDaemon daemon) throws IOException {
    Set<String> present = daemon.ctr("images", "ls", "-q").lines().collect(Collectors.toSet());
    if (present.containsAll(LocalImages.names())) {
      return;
    }
    Path archive = daemon.directory().path().resolve("images.tar");
    LocalImages.write(programs.file("busybox"), archive);
    daemon.ctr("images", "import", archive.toString());
  }

  /// The containerds that this machine needs.
  private List<ContainerdDaemon> daemons() {
    return ServicePlan.of(programs.handlers(), host).stream()
        .map(
            plan ->
                new ContainerdDaemon(
                    plan, new ContainerdDirectory(directory().resolve(plan.name())), programs))
        .toList();
  }

  /// The sockets of all containerds that were ever started in a data directory, whatever is
  /// installed now.
  public static List<RuntimeSocket> left(Path dataDir) {
    try {
      return startedIn(directoryOf(dataDir)).stream()
          .map(ContainerdDirectory::new)
          .map(
              one ->
                  new RuntimeSocket(
                      one.path().getFileName().toString(), one.socket(), List.of(), ""))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /// Whether any private containerd has pods, which no other runtime can manage.
  public static boolean hasPods(Path dataDir) {
    try {
      for (Path directory : startedIn(directoryOf(dataDir))) {
        if (new ContainerdDirectory(directory).hasContainers()) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return true; // An unneeded containerd is better than unmanaged pods.
    }
  }

  private static List<Path> startedIn(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> directories = Files.list(directory)) {
      return directories
          .filter(path -> Files.exists(path.resolve("config.toml")))
          .sorted()
          .toList();
    }
  }

  /// All containerds that were ever started, even if the machine does not need them now.
  List<ContainerdDaemon> started() throws IOException {
    Map<Path, ContainerdDaemon> needed = new HashMap<>();
    daemons().forEach(daemon -> needed.put(daemon.directory().path(), daemon));
    return startedIn(directory()).stream()
        .map(path -> needed.getOrDefault(path, unneeded(path)))
        .toList();
  }

  private ContainerdDaemon unneeded(Path path) {
    ServicePlan plan = new ServicePlan(path.getFileName().toString(), Map.of(), "");
    return new ContainerdDaemon(plan, new ContainerdDirectory(path), programs);
  }

  SharedMount shared() {
    return new SharedMount(dataDir, directory().resolve("shared"));
  }

  Path directory() {
    return directoryOf(dataDir);
  }

  static Path directoryOf(Path dataDir) {
    return dataDir.resolve("containerd");
  }

  private Path networks() {
    return networksOf(dataDir);
  }

  /// The directory with the CNI configuration of pods.
  public static Path networksOf(Path dataDir) {
    return directoryOf(dataDir).resolve("networks");
  }
}
