package dev.berth.store;

/// Whether the store takes writes.
public sealed interface StoreHealth {
  record Ok() implements StoreHealth {}

  /// Watches and reads of possibly stale state continue from memory. The writes that the problem
  /// names, or all writes, are refused until the cause is gone.
  record Degraded(String what, String why, String whatToDo) implements StoreHealth {
    @Override
    public String toString() {
      return what + ": " + why + ". " + whatToDo;
    }
  }
}
