package dev.berth.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Doc;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class MemoryStoreTest {
  private static final Duration NOW = Duration.ZERO;
  private static final Duration SOON = Duration.ofSeconds(20);

  private final FakeTime time = new FakeTime();

  private MemoryStore<Doc> memory(int maxEvents, long maxBytes) {
    StoreLimits limits =
        StoreLimits.DEFAULT.withHistory(Duration.ofMinutes(5), maxEvents, maxBytes);
    return new MemoryStore<>(limits, time, new JournalContents<>(1, List.of()));
  }

  private static HeldEntry<Doc> held(String key, long revision) {
    return new HeldEntry<>(
        new StoreEntry<>(key, new Doc("x", revision), revision, revision), 1_000);
  }

  private static void put(MemoryStore<Doc> memory, String key) {
    long revision = memory.revision() + 1;
    memory.apply(List.of(new VisibleChange<>(key, revision, held(key, revision))), revision);
  }

  private static List<Long> revisions(StoreWatch<Doc> watch) throws InterruptedException {
    return watch.next(NOW).stream().map(StoreEvent::revision).toList();
  }

  @Test
  void historyIsBoundedByTheNumberOfEvents() throws InterruptedException {
    MemoryStore<Doc> memory = memory(10, Long.MAX_VALUE);
    StoreWatch<Doc> slow = memory.watch("pods", 1);
    for (int i = 0; i < 11; i++) {
      put(memory, "pods/a");
    }

    assertThatThrownBy(() -> slow.next(NOW))
        .isInstanceOf(RevisionCompactedException.class)
        .hasMessage(
            "revision 1 is compacted, history starts at 2; list again and continue from the list's revision");
    assertThatThrownBy(() -> memory.watch("pods", 1))
        .isInstanceOf(RevisionCompactedException.class);
    assertThatThrownBy(() -> memory.snapshotAt("pods", 1))
        .isInstanceOf(RevisionCompactedException.class);
    assertThat(revisions(memory.watch("pods", 2)))
        .isEqualTo(LongStream.rangeClosed(3, 12).boxed().toList());
    assertThat(memory.snapshotAt("pods", 2).size()).isEqualTo(1);
  }

  @Test
  void historyIsBoundedByTheBytesThatItKeepsAlive() throws InterruptedException {
    MemoryStore<Doc> memory = memory(1_000, 10_000);
    for (int i = 0; i < 100; i++) {
      put(memory, "pods/a");
    }

    assertThat(revisions(memory.watch("pods", memory.revision() - 8))).hasSize(8);
    assertThatThrownBy(() -> memory.watch("pods", memory.revision() - 9))
        .isInstanceOf(RevisionCompactedException.class);
  }

  @Test
  void allBucketsShareTheRoomForBytesAndTheLargestHistoryPays() throws InterruptedException {
    MemoryStore<Doc> memory = memory(1_000, 20_000);
    for (int i = 0; i < 4; i++) {
      put(memory, "nodes/n");
    }
    for (int i = 0; i < 100; i++) {
      put(memory, "pods/a");
      put(memory, "leases/l");
    }

    assertThat(revisions(memory.watch("nodes", 1))).containsExactly(2L, 3L, 4L, 5L);
    long kept = List.of("pods", "leases").stream().mapToLong(bucket -> kept(memory, bucket)).sum();
    // An event weighs its 1,000 bytes and 128 around them; the three changes of the node stay.
    assertThat(kept).isEqualTo((20_000 - 3 * 1_128 - 128) / 1_128);
    assertThat(kept(memory, "pods")).isBetween(kept / 2 - 1, kept / 2 + 1);
  }

  @Test
  void historyThatIsDroppedMakesRoom() throws InterruptedException {
    MemoryStore<Doc> memory = memory(1_000, 10_000);
    for (int i = 0; i < 100; i++) {
      put(memory, "pods/a");
    }
    memory.compact(memory.revision());
    long compacted = memory.revision();
    for (int i = 0; i < 8; i++) {
      put(memory, "nodes/n");
    }

    assertThat(revisions(memory.watch("nodes", compacted))).hasSize(8);
  }

  private static long kept(MemoryStore<Doc> memory, String bucket) {
    for (long after = 1; ; after++) {
      try {
        return memory.watch(bucket, after).next(NOW).size();
      } catch (RevisionCompactedException _) {
        // Begins later.
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void historyIsDroppedWhenItIsOldAlsoInAQuietBucket() {
    MemoryStore<Doc> memory = memory(1_000, Long.MAX_VALUE);
    put(memory, "pods/a");
    time.advance(Duration.ofMinutes(4));
    put(memory, "pods/a");
    time.advance(Duration.ofMinutes(2));

    memory.watch("pods", 1);
    memory.dropOldHistory();

    memory.watch("pods", 2);
    assertThatThrownBy(() -> memory.watch("pods", 1))
        .isInstanceOf(RevisionCompactedException.class);
  }

  @Test
  void aBusyBucketDoesNotShortenTheHistoryOfAnother() throws InterruptedException {
    MemoryStore<Doc> memory = memory(10, Long.MAX_VALUE);
    put(memory, "nodes/n");
    StoreWatch<Doc> idle = memory.watch("nodes", 2);
    for (int i = 0; i < 100; i++) {
      put(memory, "leases/l");
    }

    assertThat(revisions(memory.watch("nodes", 1))).containsExactly(2L);
    assertThat(memory.snapshotAt("nodes", 1)).isEmpty();
    assertThat(idle.next(NOW)).isEmpty();
    assertThat(idle.progress()).isEqualTo(memory.revision());
  }

  @Test
  void compactionDoesNotEndAWatchThatHasMissedNothing() throws InterruptedException {
    MemoryStore<Doc> memory = memory(10, Long.MAX_VALUE);
    StoreWatch<Doc> idle = memory.watch("nodes", 1);
    put(memory, "pods/a");
    memory.compact(memory.revision());

    assertThat(idle.next(NOW)).isEmpty();
    put(memory, "nodes/n");
    assertThat(revisions(idle)).containsExactly(3L);
  }

  @Test
  void aResetMakesReadersListAgainUnlessTheyAreThereAlready() throws InterruptedException {
    MemoryStore<Doc> memory = memory(100, Long.MAX_VALUE);
    put(memory, "pods/a");
    StoreWatch<Doc> behind = memory.watch("pods", 2);
    StoreWatch<Doc> there = memory.watch("pods", 9);

    memory.reset(new JournalContents<>(9, List.of(held("pods/b", 9))));

    assertThatThrownBy(() -> behind.next(NOW)).isInstanceOf(RevisionCompactedException.class);
    assertThatThrownBy(() -> memory.watch("nodes", 8))
        .isInstanceOf(RevisionCompactedException.class);
    assertThatThrownBy(() -> memory.snapshotAt("pods", 2))
        .isInstanceOf(RevisionCompactedException.class);
    assertThat(memory.get("pods/a")).isNull();
    put(memory, "pods/c");
    assertThat(revisions(there)).containsExactly(10L);
  }

  @Test
  void changesOfOneRevisionAreNeverDivided() throws InterruptedException {
    MemoryStore<Doc> memory = memory(10_000, Long.MAX_VALUE);
    List<VisibleChange<Doc>> changes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      changes.add(new VisibleChange<>("pods/" + i, 2, held("pods/" + i, 2)));
    }
    memory.apply(changes, 2);

    StoreWatch<Doc> watch = memory.watch("pods", 1);
    assertThat(watch.next(NOW)).hasSize(300);
    assertThat(watch.progress()).isEqualTo(2);
    assertThat(memory.snapshotAt("pods", 1)).isEmpty();
  }

  @Test
  void aThousandWatchesSeeTheSameEvents() throws Exception {
    MemoryStore<Doc> memory = memory(100_000, Long.MAX_VALUE);
    int events = 500;
    List<Future<List<Long>>> seen = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1_000; i++) {
        StoreWatch<Doc> watch = memory.watch("pods", 1);
        seen.add(threads.submit(() -> follow(watch, events)));
      }
      for (int i = 0; i < events; i++) {
        put(memory, "pods/" + i);
        put(memory, "nodes/" + i);
      }
    }
    List<Long> expected = LongStream.range(0, events).mapToObj(i -> 2 + 2 * i).toList();
    for (Future<List<Long>> each : seen) {
      assertThat(each.get()).isEqualTo(expected);
    }
  }

  private static List<Long> follow(StoreWatch<Doc> watch, int events) throws InterruptedException {
    List<Long> revisions = new ArrayList<>();
    while (revisions.size() < events) {
      watch.next(SOON).forEach(event -> revisions.add(event.revision()));
    }
    return revisions;
  }
}
