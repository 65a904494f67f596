package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// What became of a write.
public sealed interface Outcome<V> {
  /// Durable and visible at `revision`; `entry` is null after a delete, `previous` after a create.
  record Committed<V>(long revision, @Nullable Entry<V> entry, @Nullable Entry<V> previous)
      implements Outcome<V> {}

  /// Nothing was written, since the key exists already, has another revision, or is absent (null).
  record Refused<V>(@Nullable Entry<V> current) implements Outcome<V> {}
}
