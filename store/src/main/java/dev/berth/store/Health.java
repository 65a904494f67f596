package dev.berth.store;

/// Whether the store takes writes.
public sealed interface Health {
  record Ok() implements Health {}

  /// Reads of a state that may be old and watches go on from memory; writes of what it names, or
  /// all of them, are refused until the cause is gone.
  record Degraded(String what, String why, String whatToDo) implements Health {
    @Override
    public String toString() {
      return what + ": " + why + ". " + whatToDo;
    }
  }
}
