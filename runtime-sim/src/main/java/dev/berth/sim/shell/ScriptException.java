package dev.berth.sim.shell;

/// A script has something that the simulated shell does not understand.
final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScriptException(String part) {
    super(
        "sh: the simulated shell does not understand %s; docs/simulator.md says what it understands"
            .formatted(part.isEmpty() ? "the end of the script" : "'" + part.strip() + "'"),
        null,
        false,
        false);
  }
}
