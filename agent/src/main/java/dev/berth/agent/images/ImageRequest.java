package dev.berth.agent.images;

import dev.berth.cri.v1.ImageSpec;
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
    List<PullCredentials> credentials,
    PodSandboxConfig sandbox) {
  private static final String HANDLER = "kubernetes.io/runtimehandler";

  public ImageRequest {
    annotations = Map.copyOf(annotations);
    credentials = List.copyOf(credentials);
  }

  /// How a runtime service is asked for it: for one handler, in the field of today's CRI and in the
  /// annotation of KEP-1301, which older runtimes may know.
  ImageSpec spec() {
    ImageSpec.Builder spec =
        ImageSpec.newBuilder()
            .setImage(image)
            .setRuntimeHandler(handler)
            .putAllAnnotations(annotations)
            // What a user wrote there does not choose the handler of the sandbox.
            .removeAnnotations(HANDLER);
    if (!handler.isEmpty()) {
      spec.putAnnotations(HANDLER, handler);
    }
    return spec.build();
  }
}
