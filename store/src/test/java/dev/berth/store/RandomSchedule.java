package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.WriteOutcome.Committed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Concurrent random writers on few keys, checked against a model that is replayed from a watch.
final class RandomSchedule {
  private static final int WRITERS = 8;
  private static final int KEYS = 12;

  private final Store<Doc> store;
  private final long seed;
  private final int writesEach;
  private final long start;
  private final Queue<Committed<Doc>> committed = new ConcurrentLinkedQueue<>();

  RandomSchedule(Store<Doc> store, long seed, int writesEach) {
    this.store = store;
    this.seed = seed;
    this.writesEach = writesEach;
    this.start = store.revision();
  }

  void run() throws Exception {
    List<Future<?>> writers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(seed * WRITERS + i);
        writers.add(threads.submit(() -> write(random)));
      }
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    List<StoreEvent<Doc>> events = watched();
    everyAcknowledgedWriteIsAnEvent(events);
    eventsFollowEachOther(events);
    oldStatesAreWhatTheEventsSay(events);
  }

  private @Nullable Void write(Random random) throws InterruptedException {
    for (int i = 0; i < writesEach; i++) {
      String key = "pods/ns/" + random.nextInt(KEYS);
      if (random.nextInt(10) == 0) {
        List<StoreWrite> both =
            List.of(next(random, key), next(random, "nodes/" + key.substring(8)));
        store.commitAll(both).forEach(this::note);
      } else {
        note(store.commit(next(random, key)));
      }
    }
    return null;
  }

  private StoreWrite next(Random random, String key) {
    StoreEntry<Doc> current = store.get(key);
    if (current == null || random.nextInt(20) == 0) {
      return Doc.create(key, "created " + random.nextInt());
    }
    return random.nextInt(3) == 0
        ? Doc.delete(key, current.revision())
        : Doc.replace(key, "replaced " + random.nextInt(), current.revision());
  }

  private void note(WriteOutcome<Doc> outcome) {
    if (outcome instanceof Committed<Doc> made) {
      assertThat(store.revision()).isGreaterThanOrEqualTo(made.revision());
      committed.add(made);
    }
  }

  private List<StoreEvent<Doc>> watched() throws InterruptedException {
    List<StoreEvent<Doc>> events = new ArrayList<>();
    for (String bucket : List.of("pods", "nodes")) {
      try (StoreWatch<Doc> watch = store.watch(bucket, start)) {
        while (watch.progress() < store.revision()) {
          events.addAll(watch.next(Duration.ZERO));
        }
      }
    }
    return events;
  }

  private void everyAcknowledgedWriteIsAnEvent(List<StoreEvent<Doc>> events) {
    assertThat(events.stream().map(e -> e.revision() + " " + e.current()))
        .containsExactlyInAnyOrderElementsOf(
            committed.stream().map(each -> each.revision() + " " + each.entry()).toList());
  }

  private void eventsFollowEachOther(List<StoreEvent<Doc>> events) {
    Map<String, StoreEntry<Doc>> model = new TreeMap<>();
    Map<String, Long> newest = new TreeMap<>();
    for (StoreEvent<Doc> event : events) {
      String bucket = event.key().substring(0, event.key().indexOf('/'));
      assertThat(event.revision()).isGreaterThan(newest.getOrDefault(bucket, start));
      newest.put(bucket, event.revision());
      assertThat(event.previous()).isEqualTo(model.get(event.key()));
      replay(model, event);
    }
    for (String bucket : List.of("pods", "nodes")) {
      assertThat(store.snapshot(bucket))
          .containsExactlyElementsOf(
              model.values().stream().filter(e -> e.key().startsWith(bucket)).toList());
    }
  }

  private void oldStatesAreWhatTheEventsSay(List<StoreEvent<Doc>> events) {
    Map<String, StoreEntry<Doc>> model = new TreeMap<>();
    for (StoreEvent<Doc> event : events) {
      if (event.key().startsWith("pods/")) {
        replay(model, event);
        if (event.revision() % 17 == 0) {
          assertThat(store.snapshotAt("pods", event.revision()))
              .containsExactlyElementsOf(model.values());
        }
      }
    }
  }

  private static void replay(Map<String, StoreEntry<Doc>> model, StoreEvent<Doc> event) {
    StoreEntry<Doc> current = event.current();
    if (current == null) {
      model.remove(event.key());
    } else {
      model.put(event.key(), current);
    }
  }
}
