package dev.berth.agent.images;

import org.jspecify.annotations.Nullable;

/// An image is not there and could not be got.
public final class PullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean isOfRegistry;

  /// Of a pull from a registry.
  PullException(String reason, String message, Throwable cause) {
    this(reason, message, true, cause);
  }

  /// Of a pull from a registry.
  PullException(String reason, String message) {
    this(reason, message, true, null);
  }

  private PullException(
      String reason, String message, boolean isOfRegistry, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.isOfRegistry = isOfRegistry;
  }

  /// Of an image that is missing or refused without a question to a registry.
  static PullException local(String reason, String message, @Nullable Throwable cause) {
    return new PullException(reason, message, false, cause);
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
