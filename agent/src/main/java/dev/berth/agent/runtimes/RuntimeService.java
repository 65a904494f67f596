package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceHandlers;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A runtime service as it is known at one moment.
///
/// @param discovered what it told about itself last; null until it answered once
/// @param isDefault whether pods of its workload type that ask for nothing in particular go there
public record RuntimeService(
    String name,
    WorkloadType workloadType,
    CriEndpoint endpoint,
    CriEndpoint imageEndpoint,
    @Nullable DiscoveredService discovered,
    ServiceHealth health,
    boolean isDefault,
    RegistrationOrigin origin) {
  /// What it offers; nobody knows until it answered once.
  public ServiceHandlers handlers() {
    return discovered == null ? ServiceHandlers.UNDISCLOSED : discovered.handlers();
  }

  /// Empty until it answered once.
  public Optional<RuntimeVersion> version() {
    return Optional.ofNullable(discovered).map(DiscoveredService::version);
  }

  /// For messages: `qemu (vm, handlers: microvm, Ready)`.
  @Override
  public String toString() {
    return "%s (%s, handlers: %s, %s)".formatted(name, workloadType, handlers(), health.word());
  }
}
