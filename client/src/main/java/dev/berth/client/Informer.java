package dev.berth.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// A cache of one collection that follows the server and notifies its handlers of changes.
///
/// Any thread may read. The informer's own thread calls the handlers one at a time; they must not
/// block, and the cache already contains the change. There is no periodic resync: a loop that needs
/// one adds the key to its queue with a delay.
public final class Informer<T> implements AutoCloseable {
  private final ObjectCodec<T> codec;
  private final IndexedCache<T> cache;

  /// Guards the handlers and the order of their notifications.
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Consumer<InformerEvent<T>>> handlers = new ArrayList<>();
  private final Reflector<T> reflector;

  private Informer(
      ResourceClient<T> resources,
      ListQuery query,
      Map<String, Function<T, Collection<String>>> indexers,
      DelayedActions delays,
      Backoff backoff) {
    this.codec = resources.codec();
    this.cache = new IndexedCache<>(indexers);
    this.reflector = Reflector.start(resources, query, new CacheMirror(), delays, backoff);
  }

  public static <T> Informer<T> start(
      ResourceClient<T> resources, ListQuery query, DelayedActions delays, Backoff backoff) {
    return new Informer<>(resources, query, Map.of(), delays, backoff);
  }

  /// An informer with indexes.
  ///
  /// @param indexers the name of each index with the function that gives an object's values
  public static <T> Informer<T> startIndexed(
      ResourceClient<T> resources,
      ListQuery query,
      Map<String, Function<T, Collection<String>>> indexers,
      DelayedActions delays,
      Backoff backoff) {
    return new Informer<>(resources, query, Map.copyOf(indexers), delays, backoff);
  }

  /// Adds a handler. It is first notified of every known object as added.
  ///
  /// The lock is held meanwhile, so the handler misses no change and sees none twice.
  public void addHandler(Consumer<InformerEvent<T>> handler) {
    lock.lock();
    try {
      cache.all().forEach(object -> handler.accept(new InformerEvent.Added<>(object)));
      handlers.add(handler);
    } finally {
      lock.unlock();
    }
  }

  public Optional<T> get(ObjectKey key) {
    return cache.get(key);
  }

  /// Returns the objects at one moment, sorted by key.
  public List<T> list() {
    return cache.all();
  }

  public List<T> byIndex(String index, String value) {
    return cache.byIndex(index, value);
  }

  public boolean isSynced() {
    return reflector.isSynced();
  }

  /// Waits until the cache has its first list; before that, a missing object proves nothing.
  public void awaitSynced() throws InterruptedException {
    reflector.awaitSynced();
  }

  /// Waits like [#awaitSynced()] with a time limit; returns whether the cache has its first list.
  public boolean awaitSynced(Duration atMost) throws InterruptedException {
    return reflector.awaitSynced(atMost);
  }

  @Override
  public void close() {
    reflector.close();
  }

  private void notifyHandlers(InformerEvent<T> change) {
    handlers.forEach(handler -> handler.accept(change));
  }

  private final class CacheMirror implements Reflector.Mirror<T> {
    @Override
    public void replace(List<T> items) {
      lock.lock();
      try {
        // Objects that are missing in the list were deleted while no watch was open.
        cache
            .retain(items.stream().map(codec::key).toList())
            .forEach(gone -> notifyHandlers(new InformerEvent.Removed<>(gone)));
        items.forEach(this::put);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void put(T item) {
      lock.lock();
      try {
        Optional<T> before = cache.put(codec.key(item), item);
        if (before.isEmpty()) {
          notifyHandlers(new InformerEvent.Added<>(item));
        } else if (!codec.resourceVersion(before.get()).equals(codec.resourceVersion(item))) {
          // The version decides, because a relist brings mostly unchanged objects.
          notifyHandlers(new InformerEvent.Updated<>(before.get(), item));
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void remove(T item) {
      lock.lock();
      try {
        cache
            .remove(codec.key(item))
            .ifPresent(last -> notifyHandlers(new InformerEvent.Removed<>(item)));
      } finally {
        lock.unlock();
      }
    }
  }
}
