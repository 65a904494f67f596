package dev.berth.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Runs the same work on many virtual threads and fails when one of them does.
public final class Parallel {
  /// What one of the threads does; they are numbered from zero.
  public interface Work {
    void run(int number) throws Exception;
  }

  private Parallel() {}

  public static void run(int threads, Work work) throws Exception {
    List<Future<@Nullable Void>> all = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        int number = i;
        all.add(
            executor.submit(
                () -> {
                  work.run(number);
                  return null;
                }));
      }
    }
    for (Future<@Nullable Void> each : all) {
      each.get();
    }
  }
}
