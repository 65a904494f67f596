package dev.berth.store.memory;

import org.jspecify.annotations.Nullable;

/// A durable change that is to become visible; `held` is null for a delete.
public record VisibleChange<V>(String key, long revision, @Nullable HeldEntry<V> held) {}
