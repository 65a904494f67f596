package dev.berth.scheduler.model;

import dev.berth.registry.platforms.PlatformMismatch;
import org.jspecify.annotations.Nullable;

/// Why a filter refuses a node, in the text of the pod's event.
///
/// @param mismatch of an image with the node; null for other causes. The event says it once for all
///   nodes
public record RefusalReason(RefusalCause cause, String text, @Nullable PlatformMismatch mismatch) {
  private static final String OF_IMAGE = "node(s) can't run an image of the pod: ";

  public RefusalReason(RefusalCause cause, String text) {
    this(cause, text, null);
  }

  public static RefusalReason of(PlatformMismatch mismatch) {
    return new RefusalReason(RefusalCause.IMAGES, ofImage(mismatch.message()), mismatch);
  }

  public static String ofImage(String why) {
    return OF_IMAGE + why;
  }
}
