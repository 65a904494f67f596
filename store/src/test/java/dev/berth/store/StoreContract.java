package dev.berth.store;

import static dev.berth.store.Doc.delete;
import static dev.berth.store.Doc.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Outcome.Committed;
import dev.berth.store.Outcome.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What callers may rely on; run against every kind of store.
public abstract class StoreContract {
  protected static final Duration SOON = Duration.ofSeconds(20);
  protected static final Duration NOW = Duration.ZERO;

  private @Nullable Store<Doc> opened;

  /// A store without objects.
  protected abstract Store<Doc> open(StoreLimits limits) throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    opened = open(StoreLimits.DEFAULT);
  }

  @AfterEach
  void closeStore() {
    store().close();
  }

  protected final Store<Doc> store() {
    return Objects.requireNonNull(opened);
  }

  protected static Committed<Doc> committed(Outcome<Doc> outcome) {
    assertThat(outcome).isInstanceOf(Committed.class);
    return (Committed<Doc>) outcome;
  }

  protected final long put(String key, String text) throws InterruptedException {
    Entry<Doc> current = store().get(key);
    Write write = current == null ? Doc.create(key, text) : replace(key, text, current.revision());
    return committed(store().commit(write)).revision();
  }

  protected static List<String> keys(Iterable<Entry<Doc>> entries) {
    List<String> keys = new ArrayList<>();
    entries.forEach(entry -> keys.add(entry.key()));
    return keys;
  }

  @Test
  void anEmptyStoreHasARevisionThatIsNotZero() {
    assertThat(store().revision()).isPositive();
    assertThat(store().get("pods/a/b")).isNull();
    assertThat(store().snapshot("pods")).isEmpty();
    assertThat(store().health()).isEqualTo(new Health.Ok());
  }

  @Test
  void aCreatedObjectIsVisibleWithItsRevision() throws InterruptedException {
    long before = store().revision();

    Committed<Doc> created = committed(store().commit(Doc.create("pods/a/b", "one")));

    assertThat(created.revision()).isGreaterThan(before);
    assertThat(created.previous()).isNull();
    long revision = created.revision();
    Entry<Doc> entry = new Entry<>("pods/a/b", new Doc("one", revision), revision, revision);
    assertThat(created.entry()).isEqualTo(entry);
    assertThat(store().get("pods/a/b")).isEqualTo(entry);
    assertThat(store().revision()).isEqualTo(revision);
    assertThat(store().snapshot("pods")).containsExactly(entry);
  }

  @Test
  void creatingAnExistingKeyIsRefusedWithTheCurrentEntry() throws InterruptedException {
    Committed<Doc> created = committed(store().commit(Doc.create("pods/a/b", "one")));

    assertThat(store().commit(Doc.create("pods/a/b", "two")))
        .isEqualTo(new Refused<>(created.entry()));
    assertThat(store().revision()).isEqualTo(created.revision());
  }

  @Test
  void aReplaceKeepsTheCreateRevisionAndTellsThePreviousEntry() throws InterruptedException {
    Committed<Doc> first = committed(store().commit(Doc.create("pods/a/b", "one")));

    Committed<Doc> second = committed(store().commit(replace("pods/a/b", "two", first.revision())));

    assertThat(second.revision()).isGreaterThan(first.revision());
    assertThat(second.previous()).isEqualTo(first.entry());
    assertThat(store().get("pods/a/b"))
        .isEqualTo(
            new Entry<>(
                "pods/a/b",
                new Doc("two", second.revision()),
                first.revision(),
                second.revision()));
  }

  @Test
  void aReplaceOrDeleteOfAnotherRevisionIsRefused() throws InterruptedException {
    Committed<Doc> first = committed(store().commit(Doc.create("pods/a/b", "one")));
    Committed<Doc> second = committed(store().commit(replace("pods/a/b", "two", first.revision())));

    assertThat(store().commit(replace("pods/a/b", "three", first.revision())))
        .isEqualTo(new Refused<>(second.entry()));
    assertThat(store().commit(delete("pods/a/b", first.revision())))
        .isEqualTo(new Refused<>(second.entry()));
    assertThat(store().commit(replace("pods/a/none", "x", first.revision())))
        .isEqualTo(new Refused<>(null));
    assertThat(store().commit(delete("pods/a/none", first.revision())))
        .isEqualTo(new Refused<>(null));
  }

  @Test
  void aDeletedKeyIsGoneAndCanBeCreatedAnew() throws InterruptedException {
    Committed<Doc> first = committed(store().commit(Doc.create("pods/a/b", "one")));

    Committed<Doc> deleted = committed(store().commit(delete("pods/a/b", first.revision())));

    assertThat(deleted.entry()).isNull();
    assertThat(deleted.previous()).isEqualTo(first.entry());
    assertThat(deleted.revision()).isGreaterThan(first.revision());
    assertThat(store().get("pods/a/b")).isNull();
    Committed<Doc> again = committed(store().commit(Doc.create("pods/a/b", "two")));
    assertThat(Objects.requireNonNull(again.entry()).createRevision()).isEqualTo(again.revision());
  }

  @Test
  void aTransactionIsMadeAsAWholeOrNotAtAll() throws InterruptedException {
    Committed<Doc> a = committed(store().commit(Doc.create("pods/a/a", "one")));

    List<Outcome<Doc>> refused =
        store().commitAll(List.of(Doc.create("pods/a/b", "x"), Doc.create("pods/a/a", "x")));
    assertThat(refused).containsExactly(new Refused<>(null), new Refused<>(a.entry()));
    assertThat(store().get("pods/a/b")).isNull();

    List<Outcome<Doc>> made =
        store()
            .commitAll(
                List.of(
                    Doc.create("nodes/n", "x"),
                    replace("pods/a/a", "two", a.revision()),
                    Doc.create("pods/a/c", "x")));
    assertThat(made).allMatch(Committed.class::isInstance);
    assertThat(keys(store().snapshot("pods"))).containsExactly("pods/a/a", "pods/a/c");
    assertThat(store().get("nodes/n")).isEqualTo(committed(made.getFirst()).entry());
    assertThat(store().commitAll(List.of())).isEmpty();
  }

  @Test
  void aTransactionNamesEachKeyOnce() {
    assertThatThrownBy(
            () -> store().commitAll(List.of(Doc.create("pods/a/b", "x"), delete("pods/a/b", 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two writes of pods/a/b in one transaction");
  }

  @Test
  void keysWithoutABucketAndLargeValuesAreRefused() {
    assertThatThrownBy(() -> store().commit(Doc.create("pods", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key \"pods\" is not of the form bucket/name");
    assertThatThrownBy(() -> store().commit(Doc.create("pods/a/b", "x".repeat(1_500_001))))
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessage("pods/a/b has 1500001 bytes, at most 1500000 can be stored");
  }

  @Test
  void aSnapshotIsSortedAndStaysAsItIs() throws InterruptedException {
    for (String name : List.of("b/2", "a/1", "b/1", "ab/1", "c/1")) {
      put("pods/" + name, name);
    }
    put("nodes/n", "x");
    Snapshot<Doc> snapshot = store().snapshot("pods");
    put("pods/a/0", "later");

    assertThat(keys(snapshot))
        .containsExactly("pods/a/1", "pods/ab/1", "pods/b/1", "pods/b/2", "pods/c/1");
    assertThat(snapshot.size()).isEqualTo(5);
    assertThat(keys(snapshot.prefix("pods/b/"))).containsExactly("pods/b/1", "pods/b/2");
    assertThat(snapshot.count("pods/a/")).isEqualTo(1);
    assertThat(snapshot.count("pods/x/")).isZero();
    assertThat(snapshot.prefix("").size()).isEqualTo(5);
    assertThat(keys(snapshot.startingAt("pods/b/1\0"))).containsExactly("pods/b/2", "pods/c/1");
    assertThat(keys(snapshot.range("pods/ab/1", "pods/b/2")))
        .containsExactly("pods/ab/1", "pods/b/1");
    assertThat(snapshot.range("pods/b", "pods/a")).isEmpty();
    assertThat(snapshot.get("pods/c/1")).isNotNull();
    assertThat(snapshot.get("pods/a/0")).isNull();
    assertThat(snapshot.prefix("pods/b/").revision()).isEqualTo(snapshot.revision());
  }

  @Test
  void aSnapshotOfAQuietBucketHasTheNewestRevision() throws InterruptedException {
    put("nodes/n", "x");
    long newest = put("pods/a/b", "x");

    assertThat(store().snapshot("nodes").revision()).isEqualTo(newest);
    assertThat(store().snapshot("leases").revision()).isEqualTo(newest);
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
        .containsExactly(new Entry<>("pods/a/b", new Doc("one", one), one, one));
    assertThat(store().snapshotAt("pods", two))
        .containsExactly(new Entry<>("pods/a/b", new Doc("two", two), one, two));
    assertThat(keys(store().snapshotAt("pods", other))).containsExactly("pods/a/b", "pods/a/c");
    assertThat(keys(store().snapshotAt("pods", gone))).containsExactly("pods/a/c");
    assertThat(store().snapshotAt("pods", gone).revision()).isEqualTo(gone);
    assertThat(store().snapshotAt("never", gone)).isEmpty();
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
    try (Watch<Doc> watch = store().watch("pods", two)) {
      assertThat(watch.next(SOON)).extracting(Event::revision).containsExactly(three);
    }
  }

  @Test
  void aWatchTellsEveryChangeAfterItsRevisionInOrder() throws InterruptedException {
    put("pods/a/a", "before");
    long start = store().revision();
    long created = put("pods/a/b", "one");
    put("nodes/n", "not told");
    long replaced = put("pods/a/b", "two");

    try (Watch<Doc> watch = store().watch("pods", start)) {
      assertThat(watch.progress()).isEqualTo(start);
      long deleted = committed(store().commit(delete("pods/a/b", replaced))).revision();
      List<Event<Doc>> events = take(watch, 3);

      Entry<Doc> one = new Entry<>("pods/a/b", new Doc("one", created), created, created);
      Entry<Doc> two = new Entry<>("pods/a/b", new Doc("two", replaced), created, replaced);
      assertThat(events)
          .containsExactly(
              new Event<>(created, "pods/a/b", null, one),
              new Event<>(replaced, "pods/a/b", one, two),
              new Event<>(deleted, "pods/a/b", two, null));
      assertThat(watch.progress()).isEqualTo(deleted);
    }
  }

  protected static List<Event<Doc>> take(Watch<Doc> watch, int count) throws InterruptedException {
    List<Event<Doc>> events = new ArrayList<>();
    while (events.size() < count) {
      List<Event<Doc>> more = watch.next(SOON);
      assertThat(more).as("events after " + watch.progress()).isNotEmpty();
      events.addAll(more);
    }
    return events;
  }

  @Test
  void aQuietWatchProgressesWithTheWholeStore() throws InterruptedException {
    try (Watch<Doc> watch = store().watch("nodes", store().revision())) {
      long newest = put("pods/a/b", "one");

      assertThat(watch.next(NOW)).isEmpty();
      assertThat(watch.progress()).isEqualTo(newest);
    }
  }

  @Test
  void aWatchFromTheFutureWaitsForItSilently() throws InterruptedException {
    long one = put("pods/a/b", "one");
    try (Watch<Doc> watch = store().watch("pods", one + 1)) {
      put("pods/a/b", "two");
      long three = put("pods/a/b", "three");

      assertThat(take(watch, 1)).extracting(Event::revision).containsExactly(three);
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
    Watch<Doc> watch = store().watch("pods", store().revision());
    Thread closer = Thread.ofVirtual().start(() -> store().close());

    assertThatThrownBy(() -> watch.next(SOON)).isInstanceOf(StoreUnavailableException.class);
    closer.join();
    assertThatThrownBy(() -> store().commit(Doc.create("pods/a/c", "x")))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("the store is closed");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void concurrentWritersAreSeenInOneOrder(long seed) throws Exception {
    new RandomSchedule(store(), seed, writesPerWriter()).run();
  }

  protected int writesPerWriter() {
    return 200;
  }
}
