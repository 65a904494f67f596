package dev.berth.agent.runtimes.registration;

import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.util.List;

/// A valid declaration of a runtime service, not yet connected.
///
/// @param imageEndpoint the endpoint of its images; often the same endpoint
/// @param handlers the offered handlers, for runtimes that do not report them; usually empty
public record RuntimeDeclaration(
    String name,
    WorkloadType workloadType,
    CriEndpoint endpoint,
    CriEndpoint imageEndpoint,
    List<ServiceHandler> handlers) {
  /// Names the default service of a pod's workload type. Only the service of a legacy flag has this
  /// name itself.
  public static final String DEFAULT = "default";

  public RuntimeDeclaration {
    handlers = List.copyOf(handlers);
  }

  /// A service that holds its own images and reports its handlers.
  public RuntimeDeclaration(String name, WorkloadType workloadType, CriEndpoint endpoint) {
    this(name, workloadType, endpoint, endpoint, List.of());
  }

  @Override
  public String toString() {
    return workloadType + ":" + name + ":" + endpoint;
  }
}
