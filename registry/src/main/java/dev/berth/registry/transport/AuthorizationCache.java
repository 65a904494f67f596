package dev.berth.registry.transport;

import dev.berth.registry.credentials.RegistryCredentials;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The headers that registries accepted last, for whoever brings the same credentials to the same
/// repository; nobody else gets them.
final class AuthorizationCache {
  private static final int MOST = 512;

  /// Whose header it is.
  record AuthorizationKey(String origin, String repository, RegistryCredentials credentials) {}

  private record KeptHeader(String header, long endNanos) {}

  private final ReentrantLock lock = new ReentrantLock();

  /// The one used longest ago comes first; guarded by the lock.
  private final Map<AuthorizationKey, KeptHeader> headers = new LinkedHashMap<>(16, 0.75f, true);

  Optional<String> find(AuthorizationKey key) {
    lock.lock();
    try {
      KeptHeader kept = headers.get(key);
      if (kept == null) {
        return Optional.empty();
      }
      if (kept.endNanos - System.nanoTime() <= 0) {
        headers.remove(key);
        return Optional.empty();
      }
      return Optional.of(kept.header);
    } finally {
      lock.unlock();
    }
  }

  void put(AuthorizationKey key, String header, Duration lifetime) {
    lock.lock();
    try {
      headers.put(key, new KeptHeader(header, System.nanoTime() + lifetime.toNanos()));
      if (headers.size() > MOST) {
        headers.remove(headers.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  void forget(AuthorizationKey key) {
    lock.lock();
    try {
      headers.remove(key);
    } finally {
      lock.unlock();
    }
  }
}
