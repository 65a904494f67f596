package dev.berth.client;

/// A request that did not succeed: either the server said why ([ApiException]) or there was no
/// answer ([NoAnswerException]).
public abstract sealed class ClientException extends RuntimeException
    permits ApiException, NoAnswerException {
  private static final long serialVersionUID = 1L;

  ClientException(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
