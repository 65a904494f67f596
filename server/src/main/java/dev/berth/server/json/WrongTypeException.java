package dev.berth.server.json;

/// A value of the wrong JSON type, with the message of Go's decoder, which clients know.
public final class WrongTypeException extends Exception {
  private static final long serialVersionUID = 1L;

  public WrongTypeException(String message) {
    super(message);
  }
}
