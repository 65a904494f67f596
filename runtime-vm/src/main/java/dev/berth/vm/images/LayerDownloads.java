package dev.berth.vm.images;

import dev.berth.vm.images.LayerStore.LayerBlob;
import dev.berth.vm.images.LayerStream.LayerTimeException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;

/// Brings the layers of one image, some at a time, and ends all of them when one fails.
final class LayerDownloads {
  /// As in containerd.
  private static final int AT_A_TIME = 3;

  private LayerDownloads() {}

  /// What brings one layer.
  interface LayerStep {
    void run(LayerBlob blob) throws IOException, InterruptedException, TimeoutException;
  }

  static void run(List<LayerBlob> blobs, LayerStep step)
      throws IOException, InterruptedException, TimeoutException {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            AT_A_TIME, Thread.ofVirtual().name("image-layer-", 0).factory());
    try {
      CompletionService<Boolean> downloads = new ExecutorCompletionService<>(threads);
      for (LayerBlob blob : blobs.stream().distinct().toList()) {
        downloads.submit(
            () -> {
              step.run(blob);
              return true;
            });
      }
      for (int done = 0; done < blobs.stream().distinct().count(); done++) {
        downloads.take().get();
      }
    } catch (ExecutionException e) {
      throw rethrown(e);
    } finally {
      // The steps end at once when they are interrupted; what they made is theirs to remove.
      threads.shutdownNow();
      threads.close();
    }
  }

  private static RuntimeException rethrown(ExecutionException e)
      throws IOException, InterruptedException, TimeoutException {
    return switch (e.getCause()) {
      case LayerTimeException _ -> throw new TimeoutException();
      case TimeoutException timeout -> throw timeout;
      case IOException failure -> throw failure;
      case InterruptedException interrupt -> throw interrupt;
      case RuntimeException failure -> failure;
      case null, default -> new IllegalStateException(e);
    };
  }
}
