package dev.berth.store;

import static dev.berth.store.Doc.delete;
import static dev.berth.store.Doc.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.WriteOutcome.Committed;
import dev.berth.store.WriteOutcome.Refused;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What callers may rely on; run against every kind of store.
public abstract class StoreContract extends HistoryContract {

  @Test
  void anEmptyStoreHasARevisionThatIsNotZero() {
    assertThat(store().revision()).isPositive();
    assertThat(store().get("pods/a/b")).isNull();
    assertThat(store().snapshot("pods")).isEmpty();
    assertThat(store().health()).isEqualTo(new StoreHealth.Ok());
  }

  @Test
  void aCreatedObjectIsVisibleWithItsRevision() throws InterruptedException {
    long before = store().revision();

    Committed<Doc> created = committed(store().commit(Doc.create("pods/a/b", "one")));

    assertThat(created.revision()).isGreaterThan(before);
    assertThat(created.previous()).isNull();
    long revision = created.revision();
    StoreEntry<Doc> entry =
        new StoreEntry<>("pods/a/b", new Doc("one", revision), revision, revision);
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
            new StoreEntry<>(
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

    List<WriteOutcome<Doc>> refused =
        store().commitAll(List.of(Doc.create("pods/a/b", "x"), Doc.create("pods/a/a", "x")));
    assertThat(refused).containsExactly(new Refused<>(null), new Refused<>(a.entry()));
    assertThat(store().get("pods/a/b")).isNull();

    List<WriteOutcome<Doc>> made =
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
    StoreSnapshot<Doc> snapshot = store().snapshot("pods");
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

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void concurrentWritersAreSeenInOneOrder(long seed) throws Exception {
    new RandomSchedule(store(), seed, writesPerWriter()).run();
  }

  protected int writesPerWriter() {
    return 200;
  }
}
