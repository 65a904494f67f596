package dev.berth.controllers.gc;

import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.OwnerReference;
import dev.berth.client.ServedResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Asks the server whether owners exist, and caches absent ones: a uid is never reused.
final class OwnerLookup {
  /// The result of a lookup.
  sealed interface Owner {
    record Present(ObjectMetadata object) implements Owner {}

    /// The server has no such object, or another one under its name.
    record Absent() implements Owner {}

    /// A cluster-scoped object names a namespaced owner. The owner cannot be looked up, because its
    /// namespace is unknown.
    record OutOfScope() implements Owner {}
  }

  private record Coordinates(String group, String kind, ObjectKey key, String uid) {}

  /// Bound of the cache, in which the least recently used owner is dropped first.
  private static final int REMEMBERED = 1000;

  private final ApiClient client;
  private final ResourceMonitors monitors;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private final Map<Coordinates, Boolean> absent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Coordinates, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  OwnerLookup(ApiClient client, ResourceMonitors monitors) {
    this.client = client;
    this.monitors = monitors;
  }

  /// Looks up the owner that an object of a namespace refers to.
  ///
  /// @throws IllegalStateException when the server does not offer the owner's kind: it may return
  ///   later, so that the owner is unknown, not absent
  Owner find(OwnerReference reference, String namespace) {
    ServedResource served =
        monitors
            .catalog()
            .ofKind(reference.group(), reference.kind())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "the server does not offer %s %s, the kind of owner %s"
                            .formatted(
                                reference.apiVersion(), reference.kind(), reference.name())));
    if (served.type().namespaced() && namespace.isEmpty()) {
      return new Owner.OutOfScope();
    }
    ObjectKey key = new ObjectKey(served.type().namespaced() ? namespace : "", reference.name());
    Coordinates coordinates =
        new Coordinates(reference.group(), reference.kind(), key, reference.uid());
    if (isKnownAbsent(coordinates)) {
      return new Owner.Absent();
    }
    Optional<ObjectMetadata> found = client.metadata(served.type()).find(key);
    if (found.isPresent() && found.get().uid().equals(reference.uid())) {
      return new Owner.Present(found.get());
    }
    remember(coordinates);
    return new Owner.Absent();
  }

  private boolean isKnownAbsent(Coordinates coordinates) {
    lock.lock();
    try {
      return absent.get(coordinates) != null;
    } finally {
      lock.unlock();
    }
  }

  private void remember(Coordinates coordinates) {
    lock.lock();
    try {
      absent.put(coordinates, true);
    } finally {
      lock.unlock();
    }
  }
}
