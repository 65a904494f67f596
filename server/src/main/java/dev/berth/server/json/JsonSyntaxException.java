package dev.berth.server.json;

/// A document that is not JSON (or YAML). It is a checked exception because every caller decides
/// itself which status and text the client gets.
public final class JsonSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  public JsonSyntaxException(String message) {
    super(message);
  }
}
