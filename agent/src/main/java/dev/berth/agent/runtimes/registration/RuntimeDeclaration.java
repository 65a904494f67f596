package dev.berth.agent.runtimes.registration;

import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.util.List;

/// A runtime service as it was registered: checked, and not yet connected.
///
/// @param imageEndpoint where its images are; often the same endpoint
/// @param handlers what it offers, for runtimes that do not tell; usually empty
public record RuntimeDeclaration(
    String name,
    WorkloadType workloadType,
    CriEndpoint endpoint,
    CriEndpoint imageEndpoint,
    List<ServiceHandler> handlers) {
  /// Stands for the default service of a pod's workload type; only a legacy flag's own service has
  /// it as its name.
  public static final String DEFAULT = "default";

  public RuntimeDeclaration {
    handlers = List.copyOf(handlers);
  }

  /// A service that holds its own images and tells its handlers.
  public RuntimeDeclaration(String name, WorkloadType workloadType, CriEndpoint endpoint) {
    this(name, workloadType, endpoint, endpoint, List.of());
  }

  @Override
  public String toString() {
    return workloadType + ":" + name + ":" + endpoint;
  }
}
