package dev.berth.registry;

import dev.berth.registry.credentials.RegistryCredentials;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Documents by digest, and what tags meant, for whoever brings the credentials with which they
/// were read: somebody else must ask the registry.
final class DocumentCache {
  /// Of the documents' text; what is made of it takes some times as much.
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private static final int MOST_TAGS = 4096;

  /// @param name a digest or a tag
  record DocumentKey(String repository, String name, RegistryCredentials credentials) {}

  private record KnownTag(String digest, long endNanos) {}

  private final ReentrantLock lock = new ReentrantLock();

  /// The one used longest ago comes first; all are guarded by the lock.
  private final Map<DocumentKey, RegistryDocument> documents = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<DocumentKey, KnownTag> tags = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /// By digest, or by a tag whose meaning is still taken for granted.
  Optional<RegistryDocument> find(DocumentKey key) {
    lock.lock();
    try {
      RegistryDocument direct = documents.get(key);
      if (direct != null) {
        return Optional.of(direct);
      }
      KnownTag tag = tags.get(key);
      if (tag == null) {
        return Optional.empty();
      }
      if (tag.endNanos - System.nanoTime() <= 0) {
        tags.remove(key);
        return Optional.empty();
      }
      return Optional.ofNullable(
          documents.get(new DocumentKey(key.repository(), tag.digest, key.credentials())));
    } finally {
      lock.unlock();
    }
  }

  /// @param tagLifetime zero when the tag is not to be remembered
  void put(DocumentKey key, RegistryDocument document, Duration tagLifetime) {
    lock.lock();
    try {
      DocumentKey byDigest =
          new DocumentKey(key.repository(), document.digest(), key.credentials());
      RegistryDocument before = documents.put(byDigest, document);
      bytes += document.size() - (before == null ? 0 : before.size());
      if (!key.equals(byDigest) && tagLifetime.isPositive()) {
        tags.put(key, new KnownTag(document.digest(), System.nanoTime() + tagLifetime.toNanos()));
        if (tags.size() > MOST_TAGS) {
          tags.remove(tags.keySet().iterator().next());
        }
      }
      while (bytes > MOST_BYTES) {
        DocumentKey oldest = documents.keySet().iterator().next();
        RegistryDocument removed = documents.remove(oldest);
        bytes -= removed == null ? 0 : removed.size();
      }
    } finally {
      lock.unlock();
    }
  }
}
