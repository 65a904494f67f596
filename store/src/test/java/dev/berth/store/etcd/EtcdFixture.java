package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Entry;
import dev.berth.store.Event;
import dev.berth.store.Health;
import dev.berth.store.Outcome;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// One etcd around each test, and what tests do with stores on it.
abstract class EtcdFixture {
  static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;
  private @Nullable EtcdProcess started;

  @BeforeEach
  void start() throws Exception {
    started = EtcdProcess.started(folder);
  }

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  final EtcdProcess etcd() {
    return Objects.requireNonNull(started);
  }

  static Store<Doc> open(String url) throws InterruptedException {
    EtcdConfig config =
        EtcdConfig.of(List.of(url)).withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(3));
    return EtcdStore.open(config, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  static long put(Store<Doc> store, String key, String text) throws InterruptedException {
    Entry<Doc> current = store.get(key);
    Outcome<Doc> outcome =
        store.commit(
            current == null ? Doc.create(key, text) : Doc.replace(key, text, current.revision()));
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    return ((Outcome.Committed<Doc>) outcome).revision();
  }

  static void healthy(Store<Doc> store) throws Exception {
    Await.until("writes accepted", () -> store.health() instanceof Health.Ok);
  }

  static List<Event<Doc>> watched(Store<Doc> store, long after, long upTo)
      throws InterruptedException {
    List<Event<Doc>> events = new ArrayList<>();
    try (Watch<Doc> watch = store.watch("pods", after)) {
      while (watch.progress() < upTo) {
        events.addAll(watch.next(SOON));
      }
    }
    return events;
  }
}
