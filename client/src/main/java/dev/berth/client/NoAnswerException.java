package dev.berth.client;

import org.jspecify.annotations.Nullable;

/// The server could not be reached or its answer is incomplete. Whether a write succeeded is
/// unknown.
public final class NoAnswerException extends ClientException {
  private static final long serialVersionUID = 1L;

  public NoAnswerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
