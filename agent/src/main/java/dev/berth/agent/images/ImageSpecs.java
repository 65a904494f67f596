package dev.berth.agent.images;

import dev.berth.agent.runtimes.ImageAnnotations;
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
    ImagePlatform platform = target.platform().platform();
    return ImageAnnotations.mark(
            ImageSpec.newBuilder().setImage(image).putAllAnnotations(annotations),
            target.handler(),
            platform)
        .build();
  }

  /// An image that the service listed.
  ///
  /// @param platform of its handler
  static ImageSpec stored(StoredImage image, ImagePlatform platform) {
    return ImageAnnotations.mark(
            ImageSpec.newBuilder().setImage(image.id()), image.handler(), platform)
        .build();
  }
}
