package dev.berth.agent.images;

import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.ImageReference;
import java.util.List;
import java.util.Map;

/// An image that a container is about to be made of.
///
/// @param image as the pod names it
/// @param policy `Always`, `IfNotPresent` or `Never`
/// @param annotations the pod's
/// @param credentials to be tried in this order; none for an anonymous pull
public record ImageRequest(
    String image,
    String policy,
    ImageTarget target,
    Map<String, String> annotations,
    List<PullCredentials> credentials,
    PodSandboxConfig sandbox) {
  public ImageRequest {
    annotations = Map.copyOf(annotations);
    credentials = List.copyOf(credentials);
  }

  /// How a runtime service is asked for it.
  ImageSpec spec() {
    return ImageSpecs.of(image, target, annotations);
  }

  /// The same for one entry of the index that the name stands for.
  ImageSpec spec(String digest) {
    return ImageSpecs.of(entry(digest), target, annotations);
  }

  String entry(String digest) {
    return repository() + "@" + digest;
  }

  String repository() {
    return ImageReference.repositoryOf(image);
  }
}
