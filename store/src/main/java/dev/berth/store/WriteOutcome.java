package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// The outcome of a write.
public sealed interface WriteOutcome<V> {
  /// Durable and visible at `revision`; `entry` is null after a delete, `previous` after a create.
  record Committed<V>(
      long revision, @Nullable StoreEntry<V> entry, @Nullable StoreEntry<V> previous)
      implements WriteOutcome<V> {}

  /// Nothing was written, because the key exists already, has another revision, or is absent
  /// (null).
  record Refused<V>(@Nullable StoreEntry<V> current) implements WriteOutcome<V> {}
}
