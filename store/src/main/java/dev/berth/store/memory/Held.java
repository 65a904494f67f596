package dev.berth.store.memory;

import dev.berth.store.Entry;

/// A live entry and the number of bytes that are stored for it, which is what its history will
/// weigh.
public record Held<V>(Entry<V> entry, int bytes) {}
