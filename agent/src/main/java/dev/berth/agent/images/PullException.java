package dev.berth.agent.images;

import dev.berth.registry.platforms.PlatformMismatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An image is not there and could not be got.
public final class PullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean isOfRegistry;
  private final transient @Nullable PlatformMismatch mismatch;

  /// Of a pull from a registry.
  PullException(String reason, String message, Throwable cause) {
    this(reason, message, true, null, cause);
  }

  /// Of a pull from a registry.
  PullException(String reason, String message) {
    this(reason, message, true, null, null);
  }

  /// Of an image that does not run on this node.
  public PullException(PlatformMismatch mismatch, @Nullable Throwable cause) {
    this("ErrImagePull", mismatch.advice(), true, mismatch, cause);
  }

  private PullException(
      String reason,
      String message,
      boolean isOfRegistry,
      @Nullable PlatformMismatch mismatch,
      @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.isOfRegistry = isOfRegistry;
    this.mismatch = mismatch;
  }

  /// Of an image that is missing or refused without a question to a registry.
  static PullException local(String reason, String message, @Nullable Throwable cause) {
    return new PullException(reason, message, false, null, cause);
  }

  /// What the image has instead of an entry for this node, when that is the reason.
  Optional<PlatformMismatch> mismatch() {
    return Optional.ofNullable(mismatch);
  }

  /// Whether a registry was asked, so that the next attempt has to back off.
  public boolean isOfRegistry() {
    return isOfRegistry;
  }

  /// As the container's waiting state shows it: `ErrImagePull`.
  public String reason() {
    return reason;
  }
}
