package dev.berth.agent.images;

/// An image is not there and could not be got.
public final class PullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  PullException(String reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  PullException(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  /// As the container's waiting state shows it: `ErrImagePull`.
  public String reason() {
    return reason;
  }
}
