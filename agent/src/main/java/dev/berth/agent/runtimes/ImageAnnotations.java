package dev.berth.agent.runtimes;

import dev.berth.cri.v1.ImageSpec;
import dev.berth.registry.platforms.ImagePlatform;

/// The annotations of KEP-1301 on images, for runtimes whose CRI has no field for the handler.
public final class ImageAnnotations {
  private static final String HANDLER = "kubernetes.io/runtimehandler";
  private static final String SYSTEM = "kubernetes.io/os";
  private static final String ARCHITECTURE = "kubernetes.io/arch";

  private ImageAnnotations() {}

  /// Says for which handler an image is, in the field of today's CRI and in the annotations.
  ///
  /// @param handler empty for the default one
  public static ImageSpec.Builder mark(
      ImageSpec.Builder spec, String handler, ImagePlatform platform) {
    ImagePlatform own = platform.normalized();
    spec.setRuntimeHandler(handler)
        .removeAnnotations(HANDLER)
        .putAnnotations(SYSTEM, own.os())
        .putAnnotations(ARCHITECTURE, own.architecture());
    return handler.isEmpty() ? spec : spec.putAnnotations(HANDLER, handler);
  }

  /// The handler that a runtime says an image is for; empty for the default one, and when the
  /// runtime does not say.
  public static String handler(ImageSpec spec) {
    return spec.getRuntimeHandler().isEmpty()
        ? spec.getAnnotationsOrDefault(HANDLER, "")
        : spec.getRuntimeHandler();
  }
}
