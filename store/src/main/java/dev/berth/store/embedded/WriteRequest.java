package dev.berth.store.embedded;

import dev.berth.store.WriteOutcome;
import dev.berth.store.memory.PreparedWrite;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Writes of one caller that are made together, waiting for the committer.
record WriteRequest<V>(
    List<PreparedWrite<V>> parts, CompletableFuture<List<WriteOutcome<V>>> outcomes) {

  /// Tells the committer to end after everything before it.
  static <V> WriteRequest<V> stop() {
    return new WriteRequest<>(List.of(), new CompletableFuture<>());
  }

  boolean isStop() {
    return parts.isEmpty();
  }

  long bytes() {
    long bytes = 0;
    for (PreparedWrite<V> part : parts) {
      byte[] value = part.bytes();
      bytes += value == null ? 0 : value.length;
    }
    return bytes;
  }
}
