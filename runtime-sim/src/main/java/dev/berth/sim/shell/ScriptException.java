package dev.berth.sim.shell;

/// A script that this small shell does not understand.
final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScriptException(String message) {
    super(message, null, false, false);
  }
}
