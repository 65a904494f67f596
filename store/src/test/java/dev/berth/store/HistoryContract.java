package dev.berth.store;

import static dev.berth.store.Doc.delete;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What callers may rely on when they read the past or wait for the future.
abstract class HistoryContract extends StoreFixture {

  @Test
  void aWatchTellsEveryChangeAfterItsRevisionInOrder() throws InterruptedException {
    put("pods/a/a", "before");
    long start = store().revision();
    long created = put("pods/a/b", "one");
    put("nodes/n", "not told");
    long replaced = put("pods/a/b", "two");

    try (StoreWatch<Doc> watch = store().watch("pods", start)) {
      assertThat(watch.progress()).isEqualTo(start);
      long deleted = committed(store().commit(delete("pods/a/b", replaced))).revision();
      List<StoreEvent<Doc>> events = take(watch, 3);

      StoreEntry<Doc> one = new StoreEntry<>("pods/a/b", new Doc("one", created), created, created);
      StoreEntry<Doc> two =
          new StoreEntry<>("pods/a/b", new Doc("two", replaced), created, replaced);
      assertThat(events)
          .containsExactly(
              new StoreEvent<>(created, "pods/a/b", null, one),
              new StoreEvent<>(replaced, "pods/a/b", one, two),
              new StoreEvent<>(deleted, "pods/a/b", two, null));
      assertThat(watch.progress()).isEqualTo(deleted);
    }
  }

  protected static List<StoreEvent<Doc>> take(StoreWatch<Doc> watch, int count)
      throws InterruptedException {
    List<StoreEvent<Doc>> events = new ArrayList<>();
    while (events.size() < count) {
      List<StoreEvent<Doc>> more = watch.next(SOON);
      assertThat(more).as("events after " + watch.progress()).isNotEmpty();
      events.addAll(more);
    }
    return events;
  }

  @Test
  void aQuietWatchProgressesWithTheWholeStore() throws InterruptedException {
    try (StoreWatch<Doc> watch = store().watch("nodes", store().revision())) {
      long newest = put("pods/a/b", "one");

      assertThat(watch.next(NOW)).isEmpty();
      assertThat(watch.progress()).isEqualTo(newest);
    }
  }

  @Test
  void aWatchFromTheFutureWaitsForItSilently() throws InterruptedException {
    long one = put("pods/a/b", "one");
    try (StoreWatch<Doc> watch = store().watch("pods", one + 1)) {
      put("pods/a/b", "two");
      long three = put("pods/a/b", "three");

      assertThat(take(watch, 1)).extracting(StoreEvent::revision).containsExactly(three);
    }
  }

  @Test
  void aRevisionCanBeWaitedFor() throws InterruptedException {
    long next = store().revision() + 1;
    assertThat(store().awaitRevision(next, NOW)).isFalse();
    Thread writer = Thread.ofVirtual().start(() -> putUnchecked("pods/a/b"));

    assertThat(store().awaitRevision(next, SOON)).isTrue();
    writer.join();
    assertThat(store().awaitRevision(1, NOW)).isTrue();
  }

  private void putUnchecked(String key) {
    try {
      put(key, "x");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aClosedStoreEndsWatchesAndTakesNoWrites() throws InterruptedException {
    put("pods/a/b", "one");
    StoreWatch<Doc> watch = store().watch("pods", store().revision());
    Thread closer = Thread.ofVirtual().start(() -> store().close());

    assertThatThrownBy(() -> watch.next(SOON)).isInstanceOf(StoreUnavailableException.class);
    closer.join();
    assertThatThrownBy(() -> store().commit(Doc.create("pods/a/c", "x")))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("the store is closed");
  }

  @Test
  void futureAndCompactedStatesAreRefusedAsSuch() throws InterruptedException {
    long one = put("pods/a/b", "one");
    long two = put("pods/a/b", "two");
    long three = put("pods/a/b", "three");

    assertThatThrownBy(() -> store().snapshotAt("pods", three + 1))
        .isInstanceOf(RevisionAheadException.class)
        .hasMessage("revision %d is ahead of the newest one, %d".formatted(three + 1, three));

    store().compact(two);
    assertThatThrownBy(() -> store().snapshotAt("pods", one))
        .isInstanceOf(RevisionCompactedException.class);
    assertThatThrownBy(() -> store().watch("pods", one))
        .isInstanceOf(RevisionCompactedException.class);
    assertThatThrownBy(() -> store().watch("nodes", one))
        .isInstanceOf(RevisionCompactedException.class);
    assertThat(store().snapshotAt("pods", two).size()).isEqualTo(1);
    try (StoreWatch<Doc> watch = store().watch("pods", two)) {
      assertThat(watch.next(SOON)).extracting(StoreEvent::revision).containsExactly(three);
    }
  }

  @Test
  void oldStatesCanBeReadWhileTheyAreInTheHistory() throws InterruptedException {
    long empty = store().revision();
    long one = put("pods/a/b", "one");
    long two = put("pods/a/b", "two");
    long other = put("pods/a/c", "other");
    long gone = committed(store().commit(delete("pods/a/b", two))).revision();
    put("pods/a/b", "again");

    assertThat(store().snapshotAt("pods", empty)).isEmpty();
    assertThat(store().snapshotAt("pods", one))
        .containsExactly(new StoreEntry<>("pods/a/b", new Doc("one", one), one, one));
    assertThat(store().snapshotAt("pods", two))
        .containsExactly(new StoreEntry<>("pods/a/b", new Doc("two", two), one, two));
    assertThat(keys(store().snapshotAt("pods", other))).containsExactly("pods/a/b", "pods/a/c");
    assertThat(keys(store().snapshotAt("pods", gone))).containsExactly("pods/a/c");
    assertThat(store().snapshotAt("pods", gone).revision()).isEqualTo(gone);
    assertThat(store().snapshotAt("never", gone)).isEmpty();
  }
}
