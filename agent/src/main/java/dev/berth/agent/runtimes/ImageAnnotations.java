package dev.berth.agent.runtimes;

import dev.berth.cri.v1.ImageSpec;

/// The annotations of KEP-1301 on images, for runtimes whose CRI has no field for the handler.
public final class ImageAnnotations {
  public static final String HANDLER = "kubernetes.io/runtimehandler";
  public static final String SYSTEM = "kubernetes.io/os";
  public static final String ARCHITECTURE = "kubernetes.io/arch";

  private ImageAnnotations() {}

  /// The handler that a runtime says an image is for; empty for the default one, and when the
  /// runtime does not say.
  public static String handler(ImageSpec spec) {
    return spec.getRuntimeHandler().isEmpty()
        ? spec.getAnnotationsOrDefault(HANDLER, "")
        : spec.getRuntimeHandler();
  }
}
