package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.containerd.PrivateContainerd;
import dev.berth.launch.containerd.RuntimeSocket;
import dev.berth.launch.containerd.SupervisedContainerds;
import dev.berth.launch.containerd.programs.ContainerdException;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.registry.configuration.RegistryAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The runtime services that `berth up` uses, and how they were chosen.
///
/// @param services empty if the simulator is used
/// @param handlers the handlers that are known before the services are asked
/// @param words a description for the greeting
/// @param keeping supervisors of private containerds; to be closed
public record ChosenRuntimes(
    List<RuntimeDeclaration> services, List<String> handlers, String words, Closeables keeping) {
  private static final String SIMULATED = "SIMULATED: no containers are started";

  /// Chooses named services, else runtimes that run on this machine, else a private containerd. A
  /// private containerd of an earlier start that has pods comes first.
  public static ChosenRuntimes choose(RuntimeChoice choice, RuntimeFinder finder) {
    return choose(choice, finder, directory -> start(directory, choice.registries()));
  }

  /// Chooses as [#choose(RuntimeChoice, RuntimeFinder)] does, with another way to start a
  /// containerd.
  ///
  /// @param start starts a containerd for a data directory
  public static ChosenRuntimes choose(
      RuntimeChoice choice, RuntimeFinder finder, Function<Path, ChosenRuntimes> start) {
    List<RuntimeDeclaration> named = choice.named();
    if (!named.isEmpty() && choice.source() != RuntimeSource.SIMULATED) {
      return found(named, List.of());
    }
    return switch (choice.source()) {
      case SIMULATED -> simulated("");
      case PRIVATE -> start.apply(choice.dataDir());
      case ANY -> {
        Path directory = choice.dataDir();
        List<FoundRuntime> found =
            finder.find(new UsedRuntimes(directory.resolve("agent")).withPods());
        yield among(found, directory, start).mentioning(found);
      }
    };
  }

  /// Chooses among runtimes that run: usable ones, else a private containerd, else poor ones, which
  /// serve at least pods in the host's network.
  private static ChosenRuntimes among(
      List<FoundRuntime> found, Path directory, Function<Path, ChosenRuntimes> start) {
    List<FoundRuntime> usable = found.stream().filter(FoundRuntime::isUsable).toList();
    // Pods cannot move between runtimes: a private containerd with pods is started again in any
    // case.
    if (!usable.isEmpty() && !PrivateContainerd.hasPods(directory)) {
      return found(usable);
    }
    ChosenRuntimes started = start.apply(directory);
    if (started.services.isEmpty()) {
      List<FoundRuntime> poor = found.stream().filter(FoundRuntime::answers).toList();
      return usable.isEmpty() && poor.isEmpty() ? started : found(usable.isEmpty() ? poor : usable);
    }
    return started.beside(usable);
  }

  /// Adds runtimes of the machine after the private ones. A runtime whose name is taken gets
  /// another name, because pods are bound to names.
  private ChosenRuntimes beside(List<FoundRuntime> running) {
    if (running.isEmpty()) {
      return this;
    }
    Set<String> taken = services.stream().map(RuntimeDeclaration::name).collect(Collectors.toSet());
    List<RuntimeDeclaration> others =
        running.stream()
            .map(FoundRuntime::service)
            .map(
                one ->
                    taken.contains(one.name())
                        ? new RuntimeDeclaration(
                            "system-" + one.name(), one.workloadType(), one.endpoint())
                        : one)
            .toList();
    List<RuntimeDeclaration> all = new ArrayList<>(services);
    all.addAll(others);
    String more =
        ", and with %s, which runs on this machine; %s stays the default because it has pods"
            .formatted(names(others), all.getFirst().name());
    return new ChosenRuntimes(all, handlers, words + more, keeping);
  }

  private ChosenRuntimes mentioning(List<FoundRuntime> found) {
    Set<CriEndpoint> used =
        services.stream().map(RuntimeDeclaration::endpoint).collect(Collectors.toSet());
    String more =
        found.stream()
            .map(one -> one.words(used.contains(one.service().endpoint())))
            .collect(Collectors.joining());
    return new ChosenRuntimes(services, handlers, words + more, keeping);
  }

  private static ChosenRuntimes found(List<FoundRuntime> running) {
    return found(
        running.stream().map(FoundRuntime::service).toList(),
        running.stream().flatMap(one -> one.answer().handlers().stream()).distinct().toList());
  }

  private static ChosenRuntimes found(List<RuntimeDeclaration> services, List<String> handlers) {
    String classes =
        handlers.isEmpty() ? "" : " (runtime classes: %s)".formatted(String.join(", ", handlers));
    return new ChosenRuntimes(
        services, handlers, "with " + names(services) + classes, new Closeables());
  }

  private static ChosenRuntimes simulated(String reason) {
    return new ChosenRuntimes(List.of(), List.of(), SIMULATED + reason, new Closeables());
  }

  private static ChosenRuntimes start(Path dataDir, RegistryAccess registries) {
    RuntimePrograms programs = RuntimePrograms.ofThisMachine();
    if (!programs.missing().isEmpty()) {
      String missing = String.join(", ", programs.missing());
      return leftOrSimulated(
          PrivateContainerd.left(dataDir),
          missing + " are missing; install them with `berth up --install`",
          "to start one, " + missing + " are missing; install them with `berth up --install`");
    }
    if (!DefaultDataDir.isRoot()) {
      return leftOrSimulated(
          PrivateContainerd.left(dataDir),
          "only root can supervise them: `sudo ./berth up`",
          "only root can start one: `sudo ./berth up`");
    }
    try {
      SupervisedContainerds kept = PrivateContainerd.of(dataDir, programs, registries).start();
      Closeables keeping = new Closeables();
      keeping.add(kept);
      return started(kept.sockets(), keeping);
    } catch (ContainerdException e) {
      return simulated(" (%s)".formatted(e.problem()));
    }
  }

  /// Chooses what an earlier start has left, else the simulator. Pods of a private containerd of an
  /// earlier start may still run, so that their node must not be simulated.
  static ChosenRuntimes leftOrSimulated(
      List<RuntimeSocket> left, String obstacle, String obstacleToFirst) {
    if (left.isEmpty()) {
      return simulated(" (no runtime runs on this machine, and %s)".formatted(obstacleToFirst));
    }
    List<RuntimeDeclaration> services = declarations(left);
    String words =
        "with private %s of an earlier start (a containerd that has exited is not restarted: %s)"
            .formatted(names(services), obstacle);
    return new ChosenRuntimes(services, List.of(), words, new Closeables());
  }

  static ChosenRuntimes started(List<RuntimeSocket> sockets, Closeables keeping) {
    List<RuntimeDeclaration> services = declarations(sockets);
    List<String> handlers = sockets.stream().flatMap(socket -> socket.handlers().stream()).toList();
    String words =
        "with private %s (runtime classes: %s)%s"
            .formatted(names(services), String.join(", ", handlers), obstacles(sockets));
    return new ChosenRuntimes(services, handlers, words, keeping);
  }

  private static String obstacles(List<RuntimeSocket> sockets) {
    return sockets.stream()
        .filter(socket -> !socket.obstacle().isEmpty())
        .map(
            socket ->
                " (%s is NOT READY and its pods wait: %s)"
                    .formatted(socket.name(), socket.obstacle()))
        .collect(Collectors.joining());
  }

  private static List<RuntimeDeclaration> declarations(List<RuntimeSocket> sockets) {
    return sockets.stream()
        .map(
            socket ->
                new RuntimeDeclaration(
                    socket.name(),
                    WorkloadType.CONTAINER,
                    new CriEndpoint.UnixSocket(socket.socket())))
        .toList();
  }

  private static String names(List<RuntimeDeclaration> services) {
    return services.stream().map(RuntimeDeclaration::name).collect(Collectors.joining(", "));
  }
}
