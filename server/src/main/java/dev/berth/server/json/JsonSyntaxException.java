package dev.berth.server.json;

/// A document that is not JSON (or YAML).
public final class JsonSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  public JsonSyntaxException(String message) {
    super(message);
  }
}
