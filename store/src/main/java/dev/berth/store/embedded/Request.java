package dev.berth.store.embedded;

import dev.berth.store.Outcome;
import dev.berth.store.memory.Prepared;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Writes of one caller that are made together, waiting for the committer.
record Request<V>(List<Prepared<V>> parts, CompletableFuture<List<Outcome<V>>> outcomes) {

  /// Tells the committer to end after everything before it.
  static <V> Request<V> stop() {
    return new Request<>(List.of(), new CompletableFuture<>());
  }

  boolean isStop() {
    return parts.isEmpty();
  }

  long bytes() {
    long bytes = 0;
    for (Prepared<V> part : parts) {
      byte[] value = part.bytes();
      bytes += value == null ? 0 : value.length;
    }
    return bytes;
  }
}
