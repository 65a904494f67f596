package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.containerd.PrivateContainerd;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.vm.PrivateVmRuntime;
import dev.berth.launch.vm.SupervisedVmRuntime;
import dev.berth.registry.configuration.RegistryAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Adds a VM runtime to the runtimes that `berth up` chose. Its pods are in the network of the
/// containers, so it comes only with real ones.
///
/// @param dataDir the data directory of the node
public record RuntimesWithMachines(VmChoice choice, Path dataDir, RegistryAccess registries) {
  private static final Path USUAL_NETWORKS = Path.of("/etc/cni/net.d");
  private static final List<Path> USUAL_PLUGINS =
      List.of(Path.of("/opt/cni/bin"), Path.of("/usr/lib/cni"));

  /// The runtimes with the VM runtime, or with the reason why there is none.
  public ChosenRuntimes beside(ChosenRuntimes containers) {
    boolean wasStarted = PrivateVmRuntime.wasStarted(dataDir);
    boolean isNamed =
        containers.services().stream()
            .anyMatch(service -> service.name().equals(SupervisedVmRuntime.NAME));
    if (containers.services().isEmpty() || isNamed || (!choice.wanted() && !wasStarted)) {
      return containers;
    }
    PrivateVmRuntime.Setup setup = setup(containers);
    String obstacle = choice.wanted() ? PrivateVmRuntime.obstacle(setup) : "it is not wanted";
    if (obstacle.isEmpty()) {
      SupervisedVmRuntime started = PrivateVmRuntime.start(setup);
      containers.keeping().add(started);
      return with(containers, SupervisedVmRuntime.HANDLERS, words(started));
    }
    // Pods in machines of an earlier start may still run, and belong to this node.
    return wasStarted
        ? with(containers, List.of(), leftWords(obstacle))
        : new ChosenRuntimes(
            containers.services(),
            containers.handlers(),
            containers.words() + " (no virtual machines: " + obstacle + ")",
            containers.keeping());
  }

  private PrivateVmRuntime.Setup setup(ChosenRuntimes containers) {
    Optional<Path> own =
        containers.services().stream().map(RuntimeDeclaration::endpoint).anyMatch(this::isPrivate)
            ? Optional.of(PrivateContainerd.networksOf(dataDir))
            : Optional.empty();
    return new PrivateVmRuntime.Setup(
        dataDir, choice.kernels(), own.orElse(USUAL_NETWORKS), USUAL_PLUGINS, registries);
  }

  private boolean isPrivate(CriEndpoint endpoint) {
    return endpoint instanceof CriEndpoint.UnixSocket(Path socket)
        && socket.startsWith(dataDir.resolve("containerd"));
  }

  /// The VM runtime comes last: the first one is the default of pods without a class.
  private ChosenRuntimes with(ChosenRuntimes containers, List<String> handlers, String words) {
    List<RuntimeDeclaration> services = new ArrayList<>(containers.services());
    services.add(
        new RuntimeDeclaration(
            SupervisedVmRuntime.NAME,
            WorkloadType.CONTAINER,
            new CriEndpoint.UnixSocket(PrivateVmRuntime.socket(dataDir))));
    List<String> all = new ArrayList<>(containers.handlers());
    all.addAll(handlers);
    Closeables keeping = containers.keeping();
    return new ChosenRuntimes(services, all, containers.words() + words, keeping);
  }

  static String words(SupervisedVmRuntime started) {
    String name = SupervisedVmRuntime.NAME;
    return started.obstacle().isEmpty()
        ? ", and virtual machines with %s (runtime classes: %s; accelerator: %s)"
            .formatted(name, String.join(", ", SupervisedVmRuntime.HANDLERS), started.accelerator())
        : " (%s is NOT READY and its pods wait: %s)".formatted(name, started.obstacle());
  }

  private static String leftWords(String obstacle) {
    return " (%s of an earlier start is not restarted if it exits: %s)"
        .formatted(SupervisedVmRuntime.NAME, obstacle);
  }
}
