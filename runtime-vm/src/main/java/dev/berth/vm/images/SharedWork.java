package dev.berth.vm.images;

import dev.berth.registry.transport.TimeBudget;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Lets one of several callers do what all of them need. If it fails, the next one tries for
/// itself, because it may have other credentials or more time.
final class SharedWork {
  /// What is to be done.
  interface WorkStep {
    void run() throws IOException, InterruptedException;
  }

  /// Whether the work succeeded, when it is over.
  private final ConcurrentMap<String, CompletableFuture<Boolean>> running =
      new ConcurrentHashMap<>();

  /// @param key equal for equal work
  /// @throws TimeoutException if the others took too long
  void run(String key, TimeBudget budget, WorkStep step)
      throws IOException, InterruptedException, TimeoutException {
    while (true) {
      CompletableFuture<Boolean> mine = new CompletableFuture<>();
      CompletableFuture<Boolean> other = running.putIfAbsent(key, mine);
      if (other == null) {
        try {
          step.run();
          mine.complete(true);
          return;
        } finally {
          running.remove(key, mine);
          mine.complete(false);
        }
      }
      if (succeeds(other, budget)) {
        return;
      }
    }
  }

  private static boolean succeeds(CompletableFuture<Boolean> other, TimeBudget budget)
      throws InterruptedException, TimeoutException {
    try {
      return other.get(budget.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
