package dev.berth.agent.images.access;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.berth.agent.images.records.RecordDirectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Remembers with which credentials images were pulled, over restarts of the agent.
///
/// An image is known by its service and its id at that service, and within it by repository: access
/// to one repository is no access to another that has the same image. A pull that began and never
/// ended, because the agent was killed, counts as a pull with unknown credentials.
public final class PullRecords {
  private static final TypeReference<Map<String, ImageAccess>> BY_REPOSITORY =
      new TypeReference<>() {};
  private static final TypeReference<Integer> COUNT = new TypeReference<>() {};

  private final VerificationRules rules;
  private final RecordDirectory pulled;
  private final RecordDirectory pulling;

  /// Makes changes of records whole; never held while a service is called.
  private final ReentrantLock lock = new ReentrantLock();

  public PullRecords(VerificationRules rules, RecordDirectory pulled, RecordDirectory pulling) {
    this.rules = rules;
    this.pulled = pulled;
    this.pulling = pulling;
  }

  /// Whether a pod with these secrets must pull an image that is present, to prove its access.
  ///
  /// @param service at which the image is
  /// @param id of the image at the service
  public boolean mustPull(String service, String id, String repository, List<SecretUse> ofPod) {
    lock.lock();
    try {
      Map<String, ImageAccess> known = read(service, id);
      boolean pulledHere =
          known != null || pulling.read(pullKey(service, repository), COUNT).isPresent();
      if (!rules.requireProof(repository, pulledHere)) {
        return false;
      }
      ImageAccess access = known == null ? null : known.get(repository);
      return access == null || !access.allows(ofPod);
    } finally {
      lock.unlock();
    }
  }

  /// A pull begins; written down before the service is asked.
  public void begin(String service, String repository) {
    count(pullKey(service, repository), 1);
  }

  /// A pull failed, so that it left nothing.
  public void failed(String service, String repository) {
    count(pullKey(service, repository), -1);
  }

  /// A pull succeeded.
  ///
  /// @param use null for a pull without credentials
  public void succeeded(String service, String id, String repository, @Nullable SecretUse use) {
    lock.lock();
    try {
      Map<String, ImageAccess> known = read(service, id);
      Map<String, ImageAccess> next = new HashMap<>(known == null ? Map.of() : known);
      next.merge(
          repository,
          use == null ? ImageAccess.ANYBODY : ImageAccess.UNPROVEN.with(use),
          (old, _) -> use == null ? ImageAccess.ANYBODY : old.with(use));
      // Also when nothing changed: the image may have been removed and pulled again.
      pulled.write(imageKey(service, id), next);
    } finally {
      lock.unlock();
    }
    count(pullKey(service, repository), -1);
  }

  /// A moment, for `retain`.
  public long moment() {
    return pulled.moment();
  }

  /// Forgets images that a service did not have when they were listed. What was pulled since that
  /// moment stays: an image without its record would be free for every pod.
  public void retain(String service, Set<String> ids, long moment) {
    lock.lock();
    try {
      pulled.retain(
          key ->
              !key.startsWith(service + " ") || ids.contains(key.substring(service.length() + 1)),
          moment);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Map<String, ImageAccess> read(String service, String id) {
    return pulled.read(imageKey(service, id), BY_REPOSITORY).orElse(null);
  }

  /// Pulls of one repository may overlap.
  private void count(String key, int change) {
    lock.lock();
    try {
      int now = pulling.read(key, COUNT).orElse(0) + change;
      if (now > 0) {
        pulling.write(key, now);
      } else {
        pulling.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  private static String imageKey(String service, String id) {
    return service + " " + id;
  }

  private static String pullKey(String service, String repository) {
    return service + " " + repository;
  }
}
