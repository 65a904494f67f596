package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceHandlers;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A runtime service at one moment.
///
/// @param discovered the result of the last discovery; null until the first answer
/// @param isDefault whether pods of its workload type without a choice go there
public record RuntimeService(
    String name,
    WorkloadType workloadType,
    CriEndpoint endpoint,
    CriEndpoint imageEndpoint,
    @Nullable DiscoveredService discovered,
    ServiceHealth health,
    boolean isDefault,
    RegistrationOrigin origin) {
  /// The offered handlers; undisclosed until the first answer.
  public ServiceHandlers handlers() {
    return discovered == null ? ServiceHandlers.UNDISCLOSED : discovered.handlers();
  }

  /// The version; empty until the first answer.
  public Optional<RuntimeVersion> version() {
    return Optional.ofNullable(discovered).map(DiscoveredService::version);
  }

  /// For messages: `qemu (vm, handlers: microvm, Ready)`.
  @Override
  public String toString() {
    return "%s (%s, handlers: %s, %s)".formatted(name, workloadType, handlers(), health.word());
  }
}
