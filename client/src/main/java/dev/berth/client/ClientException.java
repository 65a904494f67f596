package dev.berth.client;

/// A failed request: the server refused it ([ApiException]) or did not answer
/// ([NoAnswerException]).
public abstract sealed class ClientException extends RuntimeException
    permits ApiException, NoAnswerException {
  private static final long serialVersionUID = 1L;

  ClientException(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
