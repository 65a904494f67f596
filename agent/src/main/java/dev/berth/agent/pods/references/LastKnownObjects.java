package dev.berth.agent.pods.references;

import dev.berth.client.NoAnswerException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Objects from the API server or, while it is away, their last known state: a container that ends
/// during an outage restarts with it.
final class LastKnownObjects<T> {
  /// Bounds the memory for objects that pods name; those of a full node (110 pods) fit several
  /// times.
  private static final int REMEMBERED = 1_000;

  private final ResourceClient<T> resources;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock. The least recently used entries are dropped beyond a bound.
  private final Map<ObjectKey, T> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectKey, T> eldest) {
          return size() > REMEMBERED;
        }
      };

  LastKnownObjects(ResourceClient<T> resources) {
    this.resources = resources;
  }

  Optional<T> find(ObjectKey key) {
    try {
      Optional<T> found = resources.find(key);
      remember(key, found);
      return found;
    } catch (NoAnswerException e) {
      return Optional.of(remembered(key).orElseThrow(() -> e));
    }
  }

  private void remember(ObjectKey key, Optional<T> found) {
    lock.lock();
    try {
      found.ifPresentOrElse(object -> known.put(key, object), () -> known.remove(key));
    } finally {
      lock.unlock();
    }
  }

  private Optional<T> remembered(ObjectKey key) {
    lock.lock();
    try {
      return Optional.ofNullable(known.get(key));
    } finally {
      lock.unlock();
    }
  }
}
