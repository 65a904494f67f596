package dev.berth.store.embedded;

import dev.berth.store.Outcome;
import dev.berth.store.Write;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Writes of one caller that are made together, waiting for the committer.
record Request<V>(List<Part<V>> parts, CompletableFuture<List<Outcome<V>>> outcomes) {

  /// A write with its value already decoded; null for a delete.
  record Part<V>(Write write, @Nullable LongFunction<V> value) {}

  /// Tells the committer to end after everything before it.
  static <V> Request<V> stop() {
    return new Request<>(List.of(), new CompletableFuture<>());
  }

  boolean isStop() {
    return parts.isEmpty();
  }

  long bytes() {
    long bytes = 0;
    for (Part<V> part : parts) {
      bytes +=
          switch (part.write()) {
            case Write.Create(_, byte[] value) -> value.length;
            case Write.Replace(_, byte[] value, _) -> value.length;
            case Write.Delete _ -> 0;
          };
    }
    return bytes;
  }
}
