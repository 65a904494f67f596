package dev.berth.vm.images;

import dev.berth.api.PrivateFiles;
import dev.berth.registry.transport.TimeBudget;
import dev.berth.vm.images.LayerStream.LayerTimeException;
import dev.berth.vm.images.layers.LayerConverter;
import dev.berth.vm.images.layers.LayerFiles;
import dev.berth.vm.images.layers.LayerFormatException;
import dev.berth.vm.images.layers.LayerLimits;
import dev.berth.vm.images.tar.TarFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// The converted layers on disk. A layer stays as long as an image has it or a pull needs it, and
/// for some minutes after a pull that failed, so that the next attempt goes on from there.
final class LayerStore {
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final StoreDirectory directory;
  private final LayerLimits limits;
  private final Clock clock;

  /// A conversion takes a core.
  private final Semaphore conversions =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors()), true);

  private final ReentrantLock lock = new ReentrantLock();

  /// How many pulls need a layer; guarded by the lock.
  private final Map<String, Integer> leases = new HashMap<>();

  /// Since when no pull needs a layer that one needed; guarded by the lock.
  private final Map<String, Instant> idle = new HashMap<>();

  LayerStore(StoreDirectory directory, LayerLimits limits, Clock clock) {
    this.directory = directory;
    this.limits = limits;
    this.clock = clock;
  }

  /// The blob of a layer.
  ///
  /// @param layer digest of the tar file
  /// @param digest of the blob, for messages
  /// @param size of the blob
  record LayerBlob(String layer, String digest, String mediaType, long size) {}

  /// Keeps layers from being removed until it is closed.
  final class LayerLease implements AutoCloseable {
    private final List<String> layers;
    private final boolean isRepeated;

    LayerLease(List<String> layers, boolean isRepeated) {
      this.layers = List.copyOf(layers);
      this.isRepeated = isRepeated;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        for (String layer : layers) {
          if (leases.merge(layer, -1, Integer::sum) == 0) {
            leases.remove(layer);
            if (isRepeated) {
              idle.put(layer, clock.instant());
            }
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /// @param isRepeated whether the caller tries again if it fails
  LayerLease lease(List<String> layers, boolean isRepeated) {
    lock.lock();
    try {
      layers.forEach(layer -> leases.merge(layer, 1, Integer::sum));
      return new LayerLease(layers, isRepeated);
    } finally {
      lock.unlock();
    }
  }

  boolean has(String layer) {
    return Files.exists(directory.layer(layer).directory());
  }

  /// Converts a layer and keeps it, unless it is there already.
  ///
  /// @param content of the blob, which the caller closes
  /// @throws ImageException if the layer is damaged
  void convert(String image, LayerBlob blob, InputStream content, TimeBudget budget)
      throws IOException, InterruptedException, TimeoutException {
    if (!conversions.tryAcquire(budget.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
      throw new TimeoutException();
    }
    Path work = directory.newWork();
    try {
      LayerFiles made = new LayerFiles(Files.createDirectory(work.resolve("layer")));
      LayerStream tar = new LayerStream(content, blob.size(), blob.mediaType(), limits, budget);
      new LayerConverter(limits).convert(tar, made);
      check(image, blob, tar.digest());
      PrivateFiles.syncDirectory(made.directory());
      StoreDirectory.publish(made.directory(), directory.layer(blob.layer()).directory());
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException _) {
      // Another pull brought it from elsewhere.
    } catch (LayerTimeException _) {
      throw new TimeoutException();
    } catch (TarFormatException | LayerFormatException | ZipException | EOFException e) {
      throw damaged(image, blob, String.valueOf(e.getMessage()), e);
    } finally {
      conversions.release();
      StoreDirectory.deleteTree(work);
    }
  }

  private static void check(String image, LayerBlob blob, String actual) {
    if (!actual.equals(blob.layer())) {
      throw damaged(
          image,
          blob,
          "its content has the digest %s, the configuration names %s"
              .formatted(actual, blob.layer()),
          null);
    }
  }

  private static ImageException damaged(
      String image, LayerBlob blob, String why, @Nullable Exception e) {
    return ImageFailures.invalid(
        image, "layer %s is not acceptable: %s".formatted(blob.digest(), why), e);
  }

  /// Removes layers that nobody needs.
  ///
  /// @param isUsed by an image; asked while no pull can begin to need a layer
  /// @param isAll whether those go, too, that wait for the next attempt of a pull
  void collect(Predicate<String> isUsed, boolean isAll) throws IOException {
    List<Path> unused = new ArrayList<>();
    lock.lock();
    try (Stream<Path> present = Files.list(directory.layers())) {
      Instant oldest = clock.instant().minus(KEPT);
      for (Path path : present.toList()) {
        String layer = "sha256:" + path.getFileName();
        boolean isWaiting = !isAll && idle.getOrDefault(layer, Instant.MIN).isAfter(oldest);
        if (!isWaiting && !leases.containsKey(layer) && !isUsed.test(layer)) {
          unused.add(path);
        }
      }
      for (Path path : unused) {
        directory.discard(path);
      }
      idle.values().removeIf(since -> !since.isAfter(oldest));
    } finally {
      lock.unlock();
    }
  }
}
