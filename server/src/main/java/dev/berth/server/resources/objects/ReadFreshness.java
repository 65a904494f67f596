package dev.berth.server.resources.objects;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus.Cause;
import dev.berth.server.errors.ApiStatus.Details;
import dev.berth.store.Store;
import dev.berth.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;

/// Waits until this server's state is fresh enough for a request, when several servers share a
/// store.
///
/// With one server of its own store every call returns at once, because the server sees its writes
/// immediately. With a shared store an upstream client expects the same: what one server
/// acknowledged, another server must show to reads without a resourceVersion.
public final class ReadFreshness {
  /// How long a reader waits for a revision that this server has not seen yet.
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Store<?> store;

  ReadFreshness(Store<?> store) {
    this.store = store;
  }

  /// Waits for a read's `resourceVersion`; without one the read needs the newest state.
  ///
  /// A version that this server already has needs no wait; version 0 accepts any state, however
  /// old.
  ///
  /// @param version negative for none
  public void await(long version) {
    if (version < 0) {
      awaitNewest();
    } else if (version > store.revision()) {
      awaitRevision(version);
    }
  }

  /// Waits for the newest state before a write.
  public void awaitNewest() {
    try {
      store.catchUp();
    } catch (StoreUnavailableException e) {
      throw ApiException.unavailable(
          e.problem() + "; reads with resourceVersion=0 show the last state known here");
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private void awaitRevision(long revision) {
    try {
      if (!store.awaitRevision(revision, PATIENCE)) {
        throw ApiException.timeout(
            "Too large resource version: %d, current: %d".formatted(revision, store.revision()),
            Details.EMPTY
                .withCauses(
                    List.of(new Cause("ResourceVersionTooLarge", "Too large resource version", "")))
                .withRetryAfter(1));
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static ApiException interrupted() {
    Thread.currentThread().interrupt();
    return ApiException.unavailable("the server is shutting down");
  }
}
