package dev.berth.vm.images;

import dev.berth.api.Problem;
import org.jspecify.annotations.Nullable;

/// An image could not be pulled, read or found. The message names the image, and the layer if one
/// is damaged.
public final class ImageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ImageFailure kind;
  private final transient Problem problem;

  public ImageException(ImageFailure kind, Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.kind = kind;
    this.problem = problem;
  }

  public ImageFailure kind() {
    return kind;
  }

  public Problem problem() {
    return problem;
  }

  /// Which answer of CRI fits.
  public enum ImageFailure {
    NOT_FOUND,
    /// The content is damaged or not an image that a guest can run.
    INVALID,
    /// The host has no room left.
    NO_SPACE,
    /// The registry refused or did not answer.
    REGISTRY,
    FAILED
  }
}
