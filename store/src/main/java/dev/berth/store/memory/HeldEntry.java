package dev.berth.store.memory;

import dev.berth.store.StoreEntry;

/// A live entry and the number of bytes that are stored for it, which is what its history will
/// weigh.
public record HeldEntry<V>(StoreEntry<V> entry, int bytes) {
  /// About what an entry takes besides its value: its key, its labels, its place in the map.
  private static final int AROUND = 512;

  /// What it takes of the heap while it lives.
  long weight() {
    return AROUND + (long) bytes;
  }
}
