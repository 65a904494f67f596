package dev.berth.agent.runtimes;

import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import java.util.List;
import java.util.Optional;

/// All runtime services at one moment, in their order of precedence.
///
/// @param version grows with every change
/// @param problems for the administrator: unusable files, pods that two services claim
public record RuntimeSnapshot(long version, List<RuntimeService> services, List<Problem> problems) {
  public RuntimeSnapshot {
    services = List.copyOf(services);
    problems = List.copyOf(problems);
  }

  public Optional<RuntimeService> find(String name) {
    return services.stream().filter(service -> service.name().equals(name)).findFirst();
  }

  public Optional<RuntimeService> defaultOf(WorkloadType type) {
    return services.stream()
        .filter(service -> service.isDefault() && service.workloadType() == type)
        .findFirst();
  }
}
