package dev.berth.store;

/// Whether the store takes writes.
public sealed interface StoreHealth {
  record Ok() implements StoreHealth {}

  /// Reads of a state that may be old and watches go on from memory; writes of what it names, or
  /// all of them, are refused until the cause is gone.
  record Degraded(String what, String why, String whatToDo) implements StoreHealth {
    @Override
    public String toString() {
      return what + ": " + why + ". " + whatToDo;
    }
  }
}
