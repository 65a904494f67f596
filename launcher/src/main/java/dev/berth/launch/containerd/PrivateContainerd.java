package dev.berth.launch.containerd;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The containerds of one data folder, which run on when the process that started them ends.
public final class PrivateContainerd {
  private static final Path ROUTES = Path.of("/proc/net/route");
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Path dataDir;
  private final Programs programs;
  private final HostFacts host;

  private PrivateContainerd(Path dataDir, Programs programs, HostFacts host) {
    this.dataDir = dataDir;
    this.programs = programs;
    this.host = host;
  }

  /// That of a data folder.
  ///
  /// @param programs none of which may be missing
  public static PrivateContainerd of(Path dataDir, Programs programs) {
    return new PrivateContainerd(dataDir, programs, HostFacts.ofThisMachine());
  }

  /// Starts what does not run yet; all of them serve and have their first images when it returns.
  public List<RuntimeSocket> start() {
    try {
      return startAll();
    } catch (IOException e) {
      throw new ContainerdException(
          new Problem(
              "no containerd could be started in " + folder(),
              String.valueOf(e.getMessage()),
              "Mend that, or name a running one with --container-runtime-endpoint"));
    }
  }

  private List<RuntimeSocket> startAll() throws IOException {
    makeFolders();
    List<ContainerdDaemon> daemons = daemons();
    if (daemons.stream().anyMatch(daemon -> !daemon.plan().hiddenMount().isEmpty())) {
      shared().share();
    }
    for (ContainerdDaemon daemon : daemons) {
      daemon.launch(config(daemon));
    }
    for (ContainerdDaemon daemon : daemons) {
      daemon.awaitServing();
      load(daemon);
    }
    return daemons.stream().map(PrivateContainerd::socket).toList();
  }

  /// Starts those again that end though nobody asked for that, until it is closed; no service
  /// manager does.
  public AutoCloseable keep() {
    List<Keeper> keepers = daemons().stream().map(this::keep).toList();
    return () -> keepers.forEach(Keeper::close);
  }

  private Keeper keep(ContainerdDaemon daemon) {
    return Keeper.of(
        daemon.plan().name(),
        () -> daemon.process().map(ProcessHandle::onExit),
        () -> {
          daemon.launch(config(daemon));
          daemon.awaitServing();
        },
        PAUSE);
  }

  private void makeFolders() throws IOException {
    Files.createDirectories(
        folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createDirectories(networks());
    PodNetwork network = PodNetwork.of(folder(), Files.readAllLines(ROUTES));
    Files.writeString(
        networks().resolve("10-berth.conflist"),
        network.conflist(folder().resolve("addresses"), host.masquerade()));
  }

  private String config(ContainerdDaemon daemon) {
    return new ContainerdConfig(
            daemon.plan(), daemon.folder(), host, networks(), programs.pluginFolder())
        .text();
  }

  private void load(ContainerdDaemon daemon) throws IOException {
    Set<String> present = daemon.ctr("images", "ls", "-q").lines().collect(Collectors.toSet());
    if (present.containsAll(LocalImages.names())) {
      return;
    }
    Path archive = folder().resolve("images.tar");
    LocalImages.write(programs.file("busybox"), archive);
    daemon.ctr("images", "import", archive.toString());
  }

  private static RuntimeSocket socket(ContainerdDaemon daemon) {
    return new RuntimeSocket(
        daemon.plan().name(),
        daemon.folder().socket(),
        new ArrayList<>(daemon.plan().handlers().keySet()));
  }

  /// Those that this machine needs.
  private List<ContainerdDaemon> daemons() {
    return ServicePlan.of(programs.handlers(), host).stream()
        .map(
            plan ->
                new ContainerdDaemon(
                    plan, new ContainerdFolder(folder().resolve(plan.name())), programs))
        .toList();
  }

  /// Those that were started at some time, also when the machine would not need them today.
  List<ContainerdDaemon> started() throws IOException {
    Map<Path, ContainerdDaemon> needed = new HashMap<>();
    daemons().forEach(daemon -> needed.put(daemon.folder().path(), daemon));
    try (Stream<Path> folders = Files.list(folder())) {
      return folders
          .filter(path -> Files.exists(path.resolve("config.toml")))
          .sorted()
          .map(path -> needed.getOrDefault(path, unneeded(path)))
          .toList();
    }
  }

  private ContainerdDaemon unneeded(Path path) {
    ServicePlan plan = new ServicePlan(path.getFileName().toString(), Map.of(), "");
    return new ContainerdDaemon(plan, new ContainerdFolder(path), programs);
  }

  SharedFolder shared() {
    return new SharedFolder(dataDir, folder().resolve("shared"));
  }

  Path folder() {
    return folderOf(dataDir);
  }

  static Path folderOf(Path dataDir) {
    return dataDir.resolve("containerd");
  }

  private Path networks() {
    return folder().resolve("networks");
  }
}
