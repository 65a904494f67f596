package dev.berth.server.resources;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status.Cause;
import dev.berth.server.errors.Status.Details;
import dev.berth.store.Health;
import dev.berth.store.Store;
import java.time.Duration;
import java.util.List;

/// GET of one object.
public final class Getter {
  /// How long a reader waits for a revision that this server has not seen yet.
  private static final Duration FRESHNESS_WAIT = Duration.ofSeconds(3);

  private final ObjectStore store;

  public Getter(ObjectStore store) {
    this.store = store;
  }

  public Answer get(Target target, Query query) {
    long version = ListOptions.resourceVersion(query.first("resourceVersion"));
    awaitRevision(store.raw(), version);
    checkCurrent(store.raw(), version);
    return new Answer.Stored(200, store.get(target.kind(), target.namespace(), target.name()));
  }

  /// Who names no revision wants the newest state. While this server is cut off from those it
  /// shares its store with, it only answers who is content with an older one.
  static void checkCurrent(Store<?> store, long version) {
    Health.Degraded problem = version < 0 ? store.behind() : null;
    if (problem != null) {
      throw ApiException.unavailable(
          problem + "; reads with resourceVersion=0 show the last state known here");
    }
  }

  static void awaitRevision(Store<?> store, long revision) {
    try {
      if (revision > store.revision() && !store.awaitRevision(revision, FRESHNESS_WAIT)) {
        throw ApiException.timeout(
            "Too large resource version: %d, current: %d".formatted(revision, store.revision()),
            Details.EMPTY
                .withCauses(
                    List.of(new Cause("ResourceVersionTooLarge", "Too large resource version", "")))
                .withRetryAfter(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiException.unavailable("the server is shutting down");
    }
  }
}
