package dev.berth.agent.images;

import static dev.berth.agent.runtimes.ImageAnnotations.ARCHITECTURE;
import static dev.berth.agent.runtimes.ImageAnnotations.HANDLER;
import static dev.berth.agent.runtimes.ImageAnnotations.SYSTEM;

import dev.berth.cri.v1.ImageSpec;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.Map;

/// Names an image to a runtime service, for one handler: in the field of today's CRI, and in the
/// annotations of KEP-1301, which older runtimes may know.
final class ImageSpecs {
  private ImageSpecs() {}

  /// @param annotations of the pod; what a user wrote there does not choose the handler of the
  ///   sandbox nor its platform
  static ImageSpec of(String image, ImageTarget target, Map<String, String> annotations) {
    ImagePlatform platform = target.platform().platform().normalized();
    ImageSpec.Builder spec =
        ImageSpec.newBuilder()
            .setImage(image)
            .setRuntimeHandler(target.handler())
            .putAllAnnotations(annotations)
            .removeAnnotations(HANDLER)
            .putAnnotations(SYSTEM, platform.os())
            .putAnnotations(ARCHITECTURE, platform.architecture());
    if (!target.handler().isEmpty()) {
      spec.putAnnotations(HANDLER, target.handler());
    }
    return spec.build();
  }

  /// An image that the service listed.
  static ImageSpec stored(StoredImage image) {
    ImageSpec.Builder spec =
        ImageSpec.newBuilder().setImage(image.id()).setRuntimeHandler(image.handler());
    if (!image.handler().isEmpty()) {
      spec.putAnnotations(HANDLER, image.handler());
    }
    return spec.build();
  }
}
