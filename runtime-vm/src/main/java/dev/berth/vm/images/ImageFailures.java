package dev.berth.vm.images;

import dev.berth.api.Problem;
import dev.berth.registry.RegistryException;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.transport.FailureKind;
import dev.berth.vm.images.ImageException.ImageFailure;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Turns what goes wrong with an image into words for the person who named it.
final class ImageFailures {
  static final String PUBLISH_AGAIN = "Publish the image again, or use another one";

  private ImageFailures() {}

  /// @param image as people write it, or the archive
  static ImageException invalid(String image, String why, @Nullable Throwable cause) {
    return new ImageException(
        ImageFailure.INVALID,
        new Problem("image %s cannot be used".formatted(image), why, PUBLISH_AGAIN),
        cause);
  }

  /// The sentence of the registry module.
  static ImageException noMatch(PlatformMismatch mismatch) {
    return new ImageException(
        ImageFailure.INVALID,
        new Problem(mismatch.what(), mismatch.why(), PlatformMismatch.REMEDY),
        null);
  }

  static ImageException notFound(String id) {
    return new ImageException(
        ImageFailure.NOT_FOUND,
        new Problem(
            "image %s cannot be used".formatted(id),
            "it is not on this node",
            "Pull it first, or set imagePullPolicy to IfNotPresent"),
        null);
  }

  /// What the host could not do.
  static ImageException ofHost(String image, IOException cause) {
    if (isNoSpace(cause)) {
      return new ImageException(
          ImageFailure.NO_SPACE,
          new Problem(
              "image %s cannot be stored".formatted(image),
              String.valueOf(cause.getMessage()),
              "Make room on the disk of this node, or remove images that no pod uses"),
          cause);
    }
    return new ImageException(
        ImageFailure.FAILED,
        new Problem(
            "image %s cannot be stored".formatted(image),
            cause.toString(),
            "Check the disk of this node"),
        cause);
  }

  /// The JDK has no type for it.
  static boolean isNoSpace(Throwable cause) {
    String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("no space left") || message.contains("quota exceeded");
  }

  /// The sentences of the registry module are made for the same person.
  static ImageException ofRegistry(String image, RegistryException cause) {
    return cause
        .mismatch()
        // Its name may have the digest of an index instead of what a person wrote.
        .map(other -> noMatch(new PlatformMismatch(image, other.target(), other.available())))
        .orElseGet(() -> ofProblem(image, cause.problem(), cause));
  }

  /// @param layer digest of its blob
  static ImageException ofLayer(String image, String layer, RegistryException cause) {
    Problem problem = cause.problem();
    String why = "layer %s: %s".formatted(layer, problem.why());
    return ofProblem(image, new Problem(problem.what(), why, problem.remedy()), cause);
  }

  private static ImageException ofProblem(String image, Problem problem, RegistryException cause) {
    for (Throwable deep = cause; deep != null; deep = deep.getCause()) {
      boolean isLocal = cause.kind() == FailureKind.LOCAL_ERROR;
      if (isLocal && deep instanceof IOException local && isNoSpace(local)) {
        return ofHost(image, local);
      }
    }
    return new ImageException(kind(cause.kind()), problem, cause);
  }

  private static ImageFailure kind(FailureKind kind) {
    return switch (kind) {
      case NOT_FOUND -> ImageFailure.NOT_FOUND;
      case UNAUTHORIZED,
          FORBIDDEN,
          RATE_LIMITED,
          SERVER_ERROR,
          UNREACHABLE,
          TIMED_OUT,
          UNTRUSTED,
          UNEXPECTED_ANSWER ->
          ImageFailure.REGISTRY;
      case NOT_A_MANIFEST, TOO_LARGE, WRONG_DIGEST, NO_MATCHING_ENTRY -> ImageFailure.INVALID;
      case CANCELLED, LOCAL_ERROR -> ImageFailure.FAILED;
    };
  }

  static ImageException cancelled(String image, @Nullable Throwable cause) {
    return failed(image, "the call was cancelled", "", cause);
  }

  static ImageException timedOut(String image, String limit) {
    return failed(image, "the limit of %s is over".formatted(limit), "Try again later", null);
  }

  private static ImageException failed(
      String image, String why, String remedy, @Nullable Throwable cause) {
    return new ImageException(
        ImageFailure.FAILED,
        new Problem("image %s cannot be pulled".formatted(image), why, remedy),
        cause);
  }
}
