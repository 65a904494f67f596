package dev.berth.agent.node;

import dev.berth.agent.pressure.PressureCondition;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.ServiceHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Computes the conditions of a node from its runtime services and its machine.
record NodeConditions(ReadinessPolicy policy) {
  private static final String SUFFICIENT = "KubeletHasSufficient";

  /// All conditions in display order, `Ready` last.
  List<NodeCondition> of(RuntimeSnapshot runtimes, Set<PressureCondition> pressures) {
    List<NodeCondition> all = new ArrayList<>();
    all.add(
        pressures.contains(PressureCondition.MEMORY)
            ? shortOf(
                "MemoryPressure", "KubeletHasInsufficientMemory", "insufficient memory available")
            : enough("MemoryPressure", "Memory", "sufficient memory available"));
    all.add(
        pressures.contains(PressureCondition.DISK)
            ? shortOf("DiskPressure", "KubeletHasDiskPressure", "disk pressure")
            : NodeCondition.of(
                "DiskPressure", false, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"));
    all.add(
        pressures.contains(PressureCondition.PID)
            ? shortOf("PIDPressure", "KubeletHasInsufficientPID", "insufficient PID available")
            : enough("PIDPressure", "PID", "sufficient PID available"));
    runtimes.services().forEach(service -> all.add(ofService(service)));
    all.add(ready(runtimes.services()));
    return all;
  }

  private static NodeCondition shortOf(String type, String reason, String what) {
    return NodeCondition.of(type, true, reason, "kubelet has " + what);
  }

  private static NodeCondition enough(String type, String what, String message) {
    return NodeCondition.of(type, false, SUFFICIENT + what, "kubelet has " + message);
  }

  private static NodeCondition ofService(RuntimeService service) {
    ServiceHealth health = service.health();
    return NodeCondition.of(
        NodeCondition.RUNTIME + service.name(),
        health.isReady(),
        "Runtime" + health.word(),
        version(service) + why(health));
  }

  /// `containerd://1.6.20: `, once the version is known.
  private static String version(RuntimeService service) {
    return service.version().map(version -> version + ": ").orElse("");
  }

  private static String why(ServiceHealth health) {
    return switch (health) {
      case ServiceHealth.Connecting _ -> "it has not answered yet";
      case ServiceHealth.Ready _ -> "compute and network are ready";
      case ServiceHealth.NotReady notReady -> notReady.reason().toString();
      case ServiceHealth.Draining draining ->
          "it takes no new pods; apart from that: " + why(draining.otherwise());
      case ServiceHealth.Gone _ -> "it is being removed";
    };
  }

  private NodeCondition ready(List<RuntimeService> services) {
    List<String> obstacles = new ArrayList<>();
    for (RuntimeService service : services) {
      if (!works(service.health())) {
        obstacles.add("%s: %s".formatted(service.name(), why(service.health())));
      }
    }
    boolean enough =
        switch (policy) {
          case ALL -> obstacles.isEmpty() && !services.isEmpty();
          case PARTIAL -> obstacles.size() < services.size();
        };
    if (!enough) {
      return NodeCondition.of(NodeCondition.READY, false, "KubeletNotReady", refusal(obstacles));
    }
    return NodeCondition.of(
        NodeCondition.READY,
        true,
        "KubeletReady",
        obstacles.isEmpty()
            ? "kubelet is posting ready status"
            : "kubelet is posting ready status; not ready: " + String.join("; ", obstacles));
  }

  private static String refusal(List<String> obstacles) {
    return obstacles.isEmpty()
        ? "container runtime not ready: no runtime service is registered; add one with `berth"
            + " runtimes add`"
        : "container runtime not ready: " + String.join("; ", obstacles);
  }

  /// A drained service takes no new pods, but serves its present ones.
  private static boolean works(ServiceHealth health) {
    return health instanceof ServiceHealth.Draining draining
        ? works(draining.otherwise())
        : health.isReady();
  }
}
