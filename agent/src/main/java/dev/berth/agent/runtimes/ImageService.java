package dev.berth.agent.runtimes;

import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.ImageClient;

/// The image service of a runtime service.
///
/// @param name the name of the runtime service
public record ImageService(
    String name, WorkloadType workloadType, CriEndpoint endpoint, ImageClient client) {
  /// A stable key of the image store: several runtime services may share one.
  public String key() {
    return endpoint.toString();
  }
}
