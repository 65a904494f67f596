package dev.berth.api.certificates;

/// A certificate signing request that cannot be read, or is not signed with its own key.
public final class MalformedRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedRequestException(String message) {
    super(message);
  }

  MalformedRequestException(String message, Throwable cause) {
    super(message, cause);
  }
}
