package dev.berth.sim.model;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.profile.SimHandler;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Lists sandboxes and containers with filters, and describes single ones.
///
/// Each call takes the machine's lock once, so that its answer is one state. Conditions of a filter
/// are combined with "and".
public final class MachineInventory {
  private final SimMachine machine;

  public MachineInventory(SimMachine machine) {
    this.machine = machine;
  }

  public List<PodSandbox> sandboxes(PodSandboxFilter filter) {
    return machine.locked(
        () -> {
          CriViews views = CriViews.of(machine);
          return machine.sandboxes.matching(filter.getId()).stream()
              .filter(
                  sandbox ->
                      !filter.hasState() || CriViews.state(sandbox) == filter.getState().getState())
              .filter(sandbox -> fits(filter.getLabelSelectorMap(), sandbox.config.getLabelsMap()))
              .map(views::item)
              .toList();
        });
  }

  public List<dev.berth.cri.v1.Container> containers(ContainerFilter filter) {
    return machine.locked(
        () -> {
          CriViews views = CriViews.of(machine);
          return matching(filter.getId(), filter.getPodSandboxId(), filter.getLabelSelectorMap())
              .filter(
                  container ->
                      !filter.hasState() || container.state == filter.getState().getState())
              .map(views::item)
              .toList();
        });
  }

  /// Callers hold the machine's lock.
  Stream<SimContainer> matching(String id, String sandboxId, Map<String, String> labels) {
    List<SimSandbox> sandboxes =
        sandboxId.isEmpty() ? List.of() : machine.sandboxes.matching(sandboxId);
    return machine.containers.matching(id).stream()
        .filter(container -> sandboxId.isEmpty() || sandboxes.contains(container.sandbox))
        .filter(container -> fits(labels, container.config.getLabelsMap()));
  }

  /// A sandbox with the statuses of its containers.
  ///
  /// @param info the verbose part, as JSON
  public record SandboxDetail(
      PodSandboxStatus status, List<ContainerStatus> containers, String info) {}

  public SandboxDetail sandbox(String id) {
    return find(
        "an error occurred when try to find sandbox",
        () -> machine.sandboxes.find(id),
        sandbox -> {
          CriViews views = CriViews.of(machine);
          return new SandboxDetail(
              views.status(sandbox), views.statuses(sandbox), VerboseInfo.of(sandbox));
        });
  }

  /// A container's status.
  ///
  /// @param info the verbose part, as JSON
  public record ContainerDetail(ContainerStatus status, String info) {}

  public ContainerDetail container(String id) {
    return find(
        "an error occurred when try to find container \"%s\"".formatted(id),
        () -> machine.containers.find(id),
        container ->
            new ContainerDetail(CriViews.of(machine).status(container), VerboseInfo.of(container)));
  }

  /// What a container runs.
  ///
  /// @param platform of the entry of the image's index
  /// @param handler by its own name, also when it is the default
  /// @param isHypervisor whether its pod has a kernel of its own
  public record RunningImage(
      String imageId, ImagePlatform platform, String handler, boolean isHypervisor) {}

  public RunningImage image(String id) {
    return find(
        "an error occurred when try to find container \"%s\"".formatted(id),
        () -> machine.containers.find(id),
        container -> {
          SimHandler handler =
              machine.knobs.profile().handler(container.sandbox.handler()).orElseThrow();
          return new RunningImage(
              container.image.id(),
              container.image.platform(),
              handler.name(),
              handler.isHypervisor());
        });
  }

  private <T, R> R find(String context, Supplier<T> lookUp, Function<T, R> view) {
    return machine.locked(
        () -> {
          T found;
          try {
            found = lookUp.get();
          } catch (CallRefusal e) {
            throw e.in(context);
          }
          return view.apply(found);
        });
  }

  static boolean fits(Map<String, String> selector, Map<String, String> labels) {
    return selector.entrySet().stream()
        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
  }
}
