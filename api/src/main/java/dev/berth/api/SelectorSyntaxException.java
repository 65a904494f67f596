package dev.berth.api;

/// A label or field selector with a syntax error.
public final class SelectorSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  SelectorSyntaxException(String message) {
    super(message);
  }
}
