package dev.berth.server.admission.images;

import dev.berth.registry.ImageRequest;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryException;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.transport.FailureKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Looks images up in registries for requests that cannot wait long.
///
/// Answers are remembered for each image and its credentials; requests for the same image share one
/// lookup. The number of requests that wait and of lookups at one registry is bounded, and a
/// registry that did not answer is not asked again for a moment, so that one registry holds up
/// neither other requests nor images of other registries.
public final class ImageLookups implements AutoCloseable {
  private static final int MOST_WAITING = 64;
  private static final int MOST_AT_A_REGISTRY = 8;
  private static final int MOST_REMEMBERED = 4096;
  private static final Duration TAG_LIFETIME = Duration.ofMinutes(1);
  private static final Duration DIGEST_LIFETIME = Duration.ofHours(1);
  private static final Duration FAILURE_LIFETIME = Duration.ofSeconds(10);

  private static final Set<FailureKind> OF_THE_REGISTRY =
      Set.of(FailureKind.UNREACHABLE, FailureKind.TIMED_OUT);

  private final Function<ImageRequest, ImageIndex> source;
  private final Runnable closeSource;
  private final Duration limit;
  private final LongSupplier nanos;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore waiting = new Semaphore(MOST_WAITING);

  private final ReentrantLock lock = new ReentrantLock();

  /// By query or, for failures of a whole registry, by host; the oldest comes first. Guarded by the
  /// lock, as what follows.
  private final Map<Object, KnownAnswer> known = new LinkedHashMap<>();

  private final Map<ImageQuery, CompletableFuture<KnownAnswer>> running = new HashMap<>();
  private final Map<String, Integer> atRegistry = new HashMap<>();

  /// @param failure why there is no index; empty when there is one
  private record KnownAnswer(@Nullable ImageIndex index, String failure, long endNanos) {}

  /// @param source reads an image within the limit of the request, or throws a RegistryException
  /// @param limit for all images of one pod
  public ImageLookups(
      Function<ImageRequest, ImageIndex> source,
      Duration limit,
      LongSupplier nanos,
      Runnable closeSource) {
    this.source = source;
    this.closeSource = closeSource;
    this.limit = limit;
    this.nanos = nanos;
  }

  /// Lookups with a registry client of their own.
  public static ImageLookups open(Duration limit, Supplier<RegistrySettings> registries) {
    RegistryClient client = new RegistryClient(registries);
    return new ImageLookups(
        request -> client.platforms(request).index(), limit, System::nanoTime, client::close);
  }

  /// What the images have, in their order.
  List<ImageIndex> find(List<ImageQuery> queries) throws LookupException {
    List<CompletableFuture<KnownAnswer>> answers = new ArrayList<>();
    for (ImageQuery query : queries) {
      answers.add(start(query));
    }
    if (answers.stream().allMatch(CompletableFuture::isDone)) {
      return results(queries, answers, nanos.getAsLong());
    }
    if (!waiting.tryAcquire()) {
      throw new LookupException("too many requests wait for registries");
    }
    try {
      return results(queries, answers, nanos.getAsLong() + limit.toNanos());
    } finally {
      waiting.release();
    }
  }

  private List<ImageIndex> results(
      List<ImageQuery> queries, List<CompletableFuture<KnownAnswer>> answers, long endNanos)
      throws LookupException {
    List<ImageIndex> indexes = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      KnownAnswer answer = await(queries.get(i), answers.get(i), endNanos);
      if (answer.index() == null) {
        throw new LookupException(answer.failure());
      }
      indexes.add(answer.index());
    }
    return indexes;
  }

  private KnownAnswer await(ImageQuery query, CompletableFuture<KnownAnswer> answer, long endNanos)
      throws LookupException {
    try {
      return answer.get(Math.max(0, endNanos - nanos.getAsLong()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      String registry = query.image().registry();
      String message =
          "registry %s did not answer for image %s within %s"
              .formatted(registry, query.image().familiar(), text(limit));
      remember(registry, failure(message));
      throw new LookupException(message);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new LookupException("the server is stopping");
    } catch (ExecutionException e) {
      throw new LookupException(String.valueOf(e.getCause()));
    }
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  /// An answer that is remembered, a lookup that runs, or a new one.
  private CompletableFuture<KnownAnswer> start(ImageQuery query) {
    String registry = query.image().registry();
    CompletableFuture<KnownAnswer> answer = new CompletableFuture<>();
    lock.lock();
    try {
      KnownAnswer before = remembered(query);
      if (before == null) {
        before = remembered(registry);
      }
      if (before != null) {
        return CompletableFuture.completedFuture(before);
      }
      CompletableFuture<KnownAnswer> other = running.get(query);
      if (other != null) {
        return other;
      }
      if (atRegistry.getOrDefault(registry, 0) >= MOST_AT_A_REGISTRY) {
        return CompletableFuture.completedFuture(
            failure("too many lookups wait for registry " + registry));
      }
      atRegistry.merge(registry, 1, Integer::sum);
      running.put(query, answer);
    } finally {
      lock.unlock();
    }
    threads.execute(() -> run(query, answer));
    return answer;
  }

  private void run(ImageQuery query, CompletableFuture<KnownAnswer> answer) {
    KnownAnswer result = failure("the lookup of image %s failed".formatted(query.image()));
    Object key = query;
    try {
      ImageIndex index = source.apply(new ImageRequest(query.image(), query.credentials(), limit));
      Duration lifetime = query.image().digest().isEmpty() ? TAG_LIFETIME : DIGEST_LIFETIME;
      result = new KnownAnswer(index, "", nanos.getAsLong() + lifetime.toNanos());
    } catch (RegistryException e) {
      result = failure(String.valueOf(e.getMessage()));
      key = OF_THE_REGISTRY.contains(e.kind()) ? query.image().registry() : query;
    } finally {
      lock.lock();
      try {
        running.remove(query);
        atRegistry.merge(query.image().registry(), -1, (a, b) -> a + b == 0 ? null : a + b);
        remember(key, result);
      } finally {
        lock.unlock();
      }
      answer.complete(result);
    }
  }

  private KnownAnswer failure(String message) {
    return new KnownAnswer(null, message, nanos.getAsLong() + FAILURE_LIFETIME.toNanos());
  }

  private @Nullable KnownAnswer remembered(Object key) {
    KnownAnswer answer = known.get(key);
    if (answer != null && answer.endNanos() - nanos.getAsLong() <= 0) {
      known.remove(key);
      return null;
    }
    return answer;
  }

  private void remember(Object key, KnownAnswer answer) {
    lock.lock();
    try {
      known.remove(key);
      known.put(key, answer);
      if (known.size() > MOST_REMEMBERED) {
        known.remove(known.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  /// Ends the lookups that run.
  @Override
  public void close() {
    threads.shutdownNow();
    closeSource.run();
  }
}
