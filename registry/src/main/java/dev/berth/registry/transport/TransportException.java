package dev.berth.registry.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A registry did not give what was asked for. The message is the cause, without the image.
public final class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;
  private final boolean retriable;
  private final transient @Nullable Duration retryAfter;
  private final int status;

  public TransportException(FailureKind kind, String message) {
    this(kind, message, null);
  }

  public TransportException(FailureKind kind, String message, @Nullable Throwable cause) {
    this(kind, message, cause, 0, false, null);
  }

  private TransportException(
      FailureKind kind,
      String message,
      @Nullable Throwable cause,
      int status,
      boolean retriable,
      @Nullable Duration retryAfter) {
    super(message, cause);
    this.kind = kind;
    this.status = status;
    this.retriable = retriable;
    this.retryAfter = retryAfter;
  }

  /// One that may pass by itself, without an answer.
  static TransportException passing(FailureKind kind, String message, Throwable cause) {
    return new TransportException(kind, message, cause, 0, true, null);
  }

  /// @param retriable whether it may pass by itself
  /// @param retryAfter what the registry asks for; null when it does not
  static TransportException ofStatus(
      FailureKind kind,
      String message,
      int status,
      boolean retriable,
      @Nullable Duration retryAfter) {
    return new TransportException(kind, message, null, status, retriable, retryAfter);
  }

  public FailureKind kind() {
    return kind;
  }

  /// Of the answer; 0 when there was none, or when it was a success.
  public int status() {
    return status;
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
