package dev.berth.store.embedded;

import dev.berth.store.WriteOutcome;
import dev.berth.store.memory.PreparedWrite;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The writes of one caller that belong to one transaction, queued for the committer.
record WriteRequest<V>(
    List<PreparedWrite<V>> parts, CompletableFuture<List<WriteOutcome<V>>> outcomes) {

  /// Makes the committer stop after the requests before this one.
  static <V> WriteRequest<V> stop() {
    return new WriteRequest<>(List.of(), new CompletableFuture<>());
  }

  /// Callers never queue an empty request, so that it can mean the end of the queue.
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
