package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// One change of one key: `previous` is null when it was created, `current` is null when it was
/// deleted.
public record StoreEvent<V>(
    long revision, String key, @Nullable StoreEntry<V> previous, @Nullable StoreEntry<V> current) {}
