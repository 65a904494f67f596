package dev.berth.registry.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A registry did not give what was asked for. The message is the cause, without the image.
public final class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;
  private final boolean retriable;
  private final @Nullable Duration retryAfter;

  public TransportException(FailureKind kind, String message) {
    this(kind, message, null);
  }

  public TransportException(FailureKind kind, String message, @Nullable Throwable cause) {
    this(kind, message, cause, false, null);
  }

  private TransportException(
      FailureKind kind,
      String message,
      @Nullable Throwable cause,
      boolean retriable,
      @Nullable Duration retryAfter) {
    super(message, cause);
    this.kind = kind;
    this.retriable = retriable;
    this.retryAfter = retryAfter;
  }

  /// One that may pass by itself.
  ///
  /// @param retryAfter what the registry asks for; null when it does not
  static TransportException passing(
      FailureKind kind, String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
    return new TransportException(kind, message, cause, true, retryAfter);
  }

  public FailureKind kind() {
    return kind;
  }

  /// Whether another endpoint may do better.
  public boolean isOfThisEndpoint() {
    return kind.isOfThisEndpoint();
  }

  boolean isRetriable() {
    return retriable;
  }

  @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
