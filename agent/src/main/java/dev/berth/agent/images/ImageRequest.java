package dev.berth.agent.images;

import dev.berth.cri.v1.PodSandboxConfig;
import java.util.List;
import java.util.Map;

/// An image that a container is about to be made of.
///
/// @param image as the pod names it
/// @param policy `Always`, `IfNotPresent` or `Never`
/// @param handler of the pod's RuntimeClass, for which the image is meant
/// @param annotations the pod's
/// @param credentials to be tried in this order; none for an anonymous pull
public record ImageRequest(
    String image,
    String policy,
    String handler,
    Map<String, String> annotations,
    List<Credentials> credentials,
    PodSandboxConfig sandbox) {
  public ImageRequest {
    annotations = Map.copyOf(annotations);
    credentials = List.copyOf(credentials);
  }
}
