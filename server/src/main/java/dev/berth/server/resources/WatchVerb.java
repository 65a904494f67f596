package dev.berth.server.resources;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// GET with `watch`: sends the existing objects, then every change, until the client or the time
/// limit ends it.
///
/// The watch never skips or repeats a revision: the initial objects come from one snapshot, and the
/// store's watch starts at the revision of this snapshot. A watch that falls behind the bounded
/// history of the store ends with 410 as an event, and the client lists again. Each watch has a
/// thread of its own, so a slow client delays nobody else.
public final class WatchVerb {
  /// Upstream's periods: bookmarks once a minute and shortly before the end, so that clients resume
  /// near the end.
  private static final Duration BOOKMARK_PERIOD = Duration.ofSeconds(60);

  /// As upstream: the last bookmark is sent shortly before the end of a watch, so that the client
  /// goes on from there.
  private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);

  /// Upstream's `--min-request-timeout`. The limit is random between once and twice that, or all
  /// clients of a restarted server would come back at the same time.
  private static final Duration SHORTEST_DEFAULT = Duration.ofMinutes(30);

  private final ObjectStore store;
  private final Ticker ticker;
  private final RandomGenerator random;

  /// A monotonic clock, in nanoseconds.
  @FunctionalInterface
  public interface Ticker {
    long nanos();
  }

  public WatchVerb(ObjectStore store, Ticker ticker, RandomGenerator random) {
    this.store = store;
    this.ticker = ticker;
    this.random = random;
  }

  /// Opens the stream before the answer starts, so that a bad request gets an error status.
  public Stream open(RequestTarget target, ListOptions options) {
    ObjectSelection selection = ObjectSelection.of(target, options);
    if (options.resourceVersion() < 0) {
      store.freshness().awaitNewest();
    }
    return new Stream(target.kind().bucket(), selection, options, limit(options));
  }

  /// Without a client's limit a random time between 30 and 60 minutes, so that clients do not
  /// reconnect all at once.
  private Duration limit(ListOptions options) {
    return options.timeout().isZero()
        ? SHORTEST_DEFAULT.plusSeconds(random.nextLong(SHORTEST_DEFAULT.toSeconds()))
        : options.timeout();
  }

  /// A watch, run by one thread. It is opened before the answer starts and run afterwards.
  public final class Stream {
    private final String bucket;
    private final ObjectSelection selection;
    private final ListOptions options;
    private final long end;
    private long nextBookmark;
    private boolean lastBookmarkSent;
    private long bookmarked;

    private Stream(String bucket, ObjectSelection selection, ListOptions options, Duration limit) {
      this.bucket = bucket;
      this.selection = selection;
      this.options = options;
      this.end = ticker.nanos() + limit.toNanos();
      this.nextBookmark = ticker.nanos() + BOOKMARK_PERIOD.toNanos();
    }

    public void run(WatchSink sink) throws IOException, InterruptedException {
      try (StoreWatch<StoredObject> watch = start(sink)) {
        sink.flush();
        sink.initialized();
        while (ticker.nanos() < end && !sink.isClosed()) {
          List<StoreEvent<StoredObject>> events = watch.next(patience());
          for (StoreEvent<StoredObject> event : events) {
            send(sink, event);
          }
          boolean bookmarked = bookmarkWhenDue(sink, watch.progress());
          if (!events.isEmpty() || bookmarked) {
            sink.flush();
          }
        }
      } catch (RevisionCompactedException e) {
        sink.error(tooOld(e));
        sink.flush();
      } catch (ApiException e) {
        // The answer has already started, so the error is sent as an event.
        sink.error(e.status());
        sink.flush();
      } catch (StoreUnavailableException e) {
        // The store was closed: the server stops and clients reconnect elsewhere.
        sink.flush();
      }
    }

    private StoreWatch<StoredObject> start(WatchSink sink) throws IOException {
      long version = options.resourceVersion();
      boolean initial = options.sendInitialEvents().orElse(version <= 0);
      if (!initial) {
        return store.raw().watch(bucket, version > 0 ? version : store.raw().revision());
      }
      store.freshness().await(Math.max(version, 0));
      StoreSnapshot<StoredObject> snapshot = store.raw().snapshot(bucket);
      for (StoreEntry<StoredObject> entry : snapshot.prefix(selection.keyPrefix())) {
        entry.value().requireReadable();
        if (selection.matches(entry.value())) {
          sink.event(WatchSink.Type.ADDED, entry.value(), entry.revision());
        }
      }
      // Clients that stream their first list (KEP-3157) wait for this bookmark, which says that the
      // initial objects are complete.
      if (options.bookmarks()) {
        sink.bookmark(snapshot.revision(), true);
        bookmarked = snapshot.revision();
      }
      return store.raw().watch(bucket, snapshot.revision());
    }

    /// An object that starts or stops matching the selector is an ADDED or DELETED event for this
    /// watch.
    private void send(WatchSink sink, StoreEvent<StoredObject> event) throws IOException {
      if (!event.key().startsWith(selection.keyPrefix())) {
        return;
      }
      StoreEntry<StoredObject> previous = event.previous();
      StoreEntry<StoredObject> current = event.current();
      boolean before = previous != null && isShown(previous.value());
      boolean after = current != null && isShown(current.value());
      if (after && current != null) {
        sink.event(
            before ? WatchSink.Type.MODIFIED : WatchSink.Type.ADDED,
            current.value(),
            event.revision());
      } else if (before && previous != null) {
        sink.event(WatchSink.Type.DELETED, previous.value(), event.revision());
      }
    }

    /// An unreadable object was never sent, so its deletion is not sent either.
    private boolean isShown(StoredObject object) {
      return object.isReadable() && selection.matches(object);
    }

    /// The wait is at least one millisecond, so that a deadline in the past does not make the loop
    /// spin.
    private Duration patience() {
      long until = options.bookmarks() ? Math.min(end, Math.min(nextBookmark, lastCall())) : end;
      return Duration.ofNanos(Math.max(1_000_000, until - ticker.nanos()));
    }

    private long lastCall() {
      return lastBookmarkSent ? end : end - BOOKMARK_BEFORE_END.toNanos();
    }

    private boolean bookmarkWhenDue(WatchSink sink, long progress) throws IOException {
      if (!options.bookmarks()) {
        return false;
      }
      long now = ticker.nanos();
      boolean last = !lastBookmarkSent && now >= lastCall();
      if (now < nextBookmark && !last) {
        return false;
      }
      lastBookmarkSent |= last;
      nextBookmark = now + BOOKMARK_PERIOD.toNanos();
      // The periodic bookmark is always sent, because it also detects disconnected clients.
      if (last && progress == bookmarked) {
        return false;
      }
      sink.bookmark(progress, false);
      bookmarked = progress;
      return true;
    }
  }

  private static ApiStatus tooOld(RevisionCompactedException e) {
    return ApiException.expired(
            "too old resource version: %d (%d)".formatted(e.requested(), e.oldest()))
        .status();
  }
}
