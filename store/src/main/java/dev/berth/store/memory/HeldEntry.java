package dev.berth.store.memory;

import dev.berth.store.StoreEntry;

/// A live entry and the number of its stored bytes, which its history will take.
public record HeldEntry<V>(StoreEntry<V> entry, int bytes) {
  /// Approximate bytes of an entry beside its value: key, labels and map node.
  private static final int AROUND = 512;

  /// The bytes of heap that a live entry takes.
  long weight() {
    return AROUND + (long) bytes;
  }
}
