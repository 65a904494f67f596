package dev.berth.api;

/// A label or field selector that cannot be understood.
public final class SelectorSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  SelectorSyntaxException(String message) {
    super(message);
  }
}
