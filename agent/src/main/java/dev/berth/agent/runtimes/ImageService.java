package dev.berth.agent.runtimes;

import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.ImageClient;

/// Where the images of a runtime service are.
///
/// @param name that of the runtime service
public record ImageService(
    String name, WorkloadType workloadType, CriEndpoint endpoint, ImageClient client) {
  /// Where images are, for records: several runtime services may share one image service.
  public String key() {
    return endpoint.toString();
  }
}
