package dev.berth.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a mirror of one collection: lists it, then follows its watch, and lists again when the
/// watch cannot be resumed.
///
/// It has one virtual thread, which alone calls the mirror. A server that does not answer does not
/// change the mirror: unknown is not empty.
///
/// The first list accepts any state that the server has cached (`resourceVersion=0`), which is
/// cheap for the server; later ones accept no state older than the one already seen, so the mirror
/// never goes back. After an expired revision the list asks for the newest state.
public final class Reflector<T> implements AutoCloseable {
  /// Receives the state. Its methods must not block, because the watch would fall behind.
  public interface Mirror<T> {
    /// The complete collection; it replaces the previous state.
    void replace(List<T> items);

    void put(T item);

    void remove(T item);
  }

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);
  private static final int FORBIDDEN = 403;
  private static final int PAGE = 1000;
  private static final int SHORTEST_WATCH_SECONDS = 300;
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final ResourceClient<T> resources;
  private final ListQuery query;
  private final Mirror<T> mirror;
  private final DelayedActions delays;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final CountDownLatch synced = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  /// Written by the reflector's thread, closed by any thread.
  private volatile @Nullable OpenWatch<T> open;

  // The three fields below are confined to the reflector's thread.
  private String revision = "0";
  private int failures;
  private int emptyWatches;

  private Reflector(
      ResourceClient<T> resources,
      ListQuery query,
      Mirror<T> mirror,
      DelayedActions delays,
      Backoff backoff) {
    this.resources = resources;
    this.query = query;
    this.mirror = mirror;
    this.delays = delays;
    this.backoff = backoff;
    this.random = backoff.random();
    this.thread = Thread.ofVirtual().name("reflector-" + resources.type()).unstarted(this::run);
  }

  public static <T> Reflector<T> start(
      ResourceClient<T> resources,
      ListQuery query,
      Mirror<T> mirror,
      DelayedActions delays,
      Backoff backoff) {
    Reflector<T> reflector = new Reflector<>(resources, query, mirror, delays, backoff);
    reflector.thread.start();
    return reflector;
  }

  /// 100 ms up to 30 s between attempts to reach the server.
  public static Backoff usualBackoff(RandomGenerator random) {
    return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), random);
  }

  private void run() {
    boolean listed = false;
    while (!isClosing()) {
      try {
        if (!listed) {
          list();
          listed = true;
        }
        if (watch()) {
          emptyWatches = 0;
          recovered();
        } else {
          // A server or proxy that ends every watch at once must not be asked again without a
          // pause.
          pause(backoff.after(emptyWatches++));
        }
      } catch (ApiException e) {
        Duration pause = backoff.after(failures);
        if (e.isExpired()) {
          // The server answers again, so that the next list need not wait.
          pause = listed ? backoff.after(0) : pause;
          // The watch's revision is gone; the next list must not ask for it again.
          listed = false;
          revision = "";
        }
        failed(e, pause);
      } catch (RuntimeException e) {
        // This includes exceptions of the mirror: its state is then uncertain, so it gets the whole
        // list again.
        listed = listed && e instanceof NoAnswerException;
        failed(e, backoff.after(failures));
      }
    }
  }

  private void list() {
    ObjectList<T> whole = listFromOneState();
    mirror.replace(whole.items());
    revision = whole.resourceVersion();
    // The mirror has the list before anybody is woken.
    synced.countDown();
    recovered();
  }

  private ObjectList<T> listFromOneState() {
    if (!revision.isEmpty()) {
      return resources.list(query, ListPage.notOlderThan(revision));
    }
    List<T> items = new ArrayList<>();
    ListPage page = ListPage.first(PAGE);
    while (true) {
      ObjectList<T> part;
      try {
        part = resources.list(query, page);
      } catch (ApiException e) {
        if (!e.isExpired() || page.continueToken().isEmpty()) {
          throw e;
        }
        // The revision of the first pages is compacted: list a newer one in a single answer.
        return resources.list(query, ListPage.EVERYTHING);
      }
      items.addAll(part.items());
      if (part.continueToken().isEmpty()) {
        return new ObjectList<>(part.resourceVersion(), "", items);
      }
      page = page.after(part.continueToken());
    }
  }

  /// Follows a watch until it ends; returns whether it delivered anything.
  private boolean watch() {
    // Spread over time, so that a thousand watchers do not all return in the same second.
    int seconds = SHORTEST_WATCH_SECONDS + random.nextInt(SHORTEST_WATCH_SECONDS);
    try (OpenWatch<T> watch = resources.watch(query, revision, seconds)) {
      // `close` may have run before the watch was visible to it, so the flag is checked again.
      open = watch;
      if (isClosing()) {
        return true;
      }
      // A peer that vanished without closing the connection is noticed only by this time limit.
      DelayedActions.Pending guard = delays.after(GRACE.plusSeconds(seconds), watch::close);
      try {
        return follow(watch);
      } finally {
        guard.cancel();
      }
    } finally {
      open = null;
    }
  }

  private boolean follow(OpenWatch<T> watch) {
    boolean any = false;
    for (var next = watch.next(); next.isPresent(); next = watch.next()) {
      any = true;
      switch (next.get()) {
        case WatchEvent.Added<T>(T object) -> put(object);
        case WatchEvent.Modified<T>(T object) -> put(object);
        case WatchEvent.Deleted<T>(T object) -> {
          mirror.remove(object);
          // The event of a deletion carries the revision of the deletion.
          revision = resources.codec().resourceVersion(object);
        }
        case WatchEvent.Bookmark<T>(String upTo) -> revision = upTo;
      }
    }
    return any;
  }

  private void put(T object) {
    mirror.put(object);
    revision = resources.codec().resourceVersion(object);
  }

  private void failed(RuntimeException failure, Duration pause) {
    if (isClosing()) {
      return;
    }
    if (failures == 0 && failure instanceof ApiException refused && refused.code() == FORBIDDEN) {
      log.warn(
          "not allowed to list and watch resource={}: {}. Grant the verbs with a ClusterRole; what"
              + " needs these objects waits until then",
          resources.type(),
          failure.getMessage());
    } else if (failures == 0) {
      log.info("watch interrupted resource={} reason={}", resources.type(), failure.getMessage());
    } else {
      log.debug("watch still interrupted resource={}", resources.type(), failure);
    }
    failures++;
    pause(pause);
  }

  private void recovered() {
    if (failures > 0) {
      log.info("watch resumed resource={} failures={}", resources.type(), failures);
      failures = 0;
    }
  }

  private void pause(Duration time) {
    try {
      boolean _ = closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      closing.countDown();
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  public boolean isSynced() {
    return synced.getCount() == 0;
  }

  /// Waits until the collection has been listed once.
  public void awaitSynced() throws InterruptedException {
    synced.await();
  }

  /// Waits like [#awaitSynced()] with a time limit; returns whether the collection has been listed.
  public boolean awaitSynced(Duration atMost) throws InterruptedException {
    return synced.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    closing.countDown();
    OpenWatch<T> watch = open;
    if (watch != null) {
      watch.close();
    }
    thread.interrupt();
    try {
      if (!thread.join(CLOSING)) {
        log.warn("reflector did not end resource={}", resources.type());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
