package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Parallel;
import dev.berth.store.Store;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import dev.berth.store.StoredDecoder;
import dev.berth.store.WriteOutcome;
import dev.berth.store.embedded.FaultyJournal.Fault;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WriteCommitterTest {
  private static final StoredDecoder<Doc> PICKY =
      (key, value) -> {
        var decoded = Doc.DECODER.decode(key, value);
        return revision -> {
          Doc doc = decoded.apply(revision);
          if (doc.text().equals("bad")) {
            throw new IllegalArgumentException("cannot be made");
          }
          return doc;
        };
      };

  private final FaultyJournal journal = new FaultyJournal();
  private final Store<Doc> store =
      EmbeddedStore.withJournal(journal, PICKY, StoreLimits.DEFAULT, InstantSource.system());

  @AfterEach
  void close() {
    store.close();
  }

  private void put(String key) throws InterruptedException {
    assertThat(store.commit(Doc.create(key, "x"))).isInstanceOf(WriteOutcome.Committed.class);
  }

  private void recovered() throws Exception {
    Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
  }

  @Test
  void aFailedWriteIsNotVisibleAndReadsGoOn() throws Exception {
    put("pods/a");
    journal.recovers = false;
    journal.fault = Fault.BEFORE_STORING;

    assertThatThrownBy(() -> put("pods/b"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("the journal failed: the test wants it. Wait");

    assertThat(store.health()).isEqualTo(FaultyJournal.PROBLEM);
    assertThat(store.get("pods/a")).isNotNull();
    assertThat(store.get("pods/b")).isNull();
    assertThat(store.snapshot("pods").size()).isEqualTo(1);
    assertThat(store.revision()).isEqualTo(2);
  }

  @Test
  void whileTheJournalFailsWritesAreRefusedWithoutTryingIt() throws Exception {
    journal.recovers = false;
    journal.fault = Fault.BEFORE_STORING;
    assertThatThrownBy(() -> put("pods/b")).isInstanceOf(StoreUnavailableException.class);
    int tried = journal.appends.get();

    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> put("pods/b")).isInstanceOf(StoreUnavailableException.class);
    }

    assertThat(journal.appends).hasValue(tried);
  }

  @Test
  void writesAreAcceptedAgainOnceTheJournalWorks() throws Exception {
    journal.recovers = false;
    journal.fault = Fault.BEFORE_STORING;
    assertThatThrownBy(() -> put("pods/b")).isInstanceOf(StoreUnavailableException.class);

    journal.fault = Fault.NONE;
    journal.recovers = true;
    recovered();

    put("pods/b");
    assertThat(journal.stored).isEqualTo(store.revision());
  }

  @Test
  void aWriteThatWasStoredAlthoughItFailedBecomesVisible() throws Exception {
    try (StoreWatch<Doc> watch = store.watch("pods", 1)) {
      journal.fault = Fault.AFTER_STORING;
      assertThatThrownBy(() -> put("pods/b")).isInstanceOf(StoreUnavailableException.class);
      journal.fault = Fault.NONE;
      recovered();

      assertThat(watch.next(Duration.ofSeconds(20)))
          .extracting(StoreEvent::revision)
          .containsExactly(2L);
      assertThat(store.get("pods/b")).isNotNull();
      assertThat(store.commit(Doc.create("pods/b", "again")))
          .isInstanceOf(WriteOutcome.Refused.class);
      put("pods/c");
      assertThat(watch.next(Duration.ofSeconds(20)))
          .extracting(StoreEvent::revision)
          .containsExactly(3L);
    }
  }

  @Test
  void aJournalThatSomebodyElseChangedIsNotWrittenTo() throws Exception {
    journal.fault = Fault.BEFORE_STORING;
    journal.recovers = false;
    assertThatThrownBy(() -> put("pods/b")).isInstanceOf(StoreUnavailableException.class);
    journal.stored = 77;
    journal.fault = Fault.NONE;
    journal.recovers = true;

    Await.until(
        "the difference is noticed",
        () -> store.health() instanceof StoreHealth.Degraded d && d.why().contains("revision 77"));
    assertThatThrownBy(() -> put("pods/b"))
        .hasMessage(
            "the journal is not the one this server wrote: it is at revision 77, this server at 1. "
                + "Stop other programs that write to the data directory, then restart this server");
  }

  @Test
  void aValueThatCannotBeMadeFailsItsOwnWriteOnly() throws Exception {
    assertThatThrownBy(
            () -> store.commitAll(List.of(Doc.create("pods/a", "x"), Doc.create("pods/b", "bad"))))
        .hasRootCauseMessage("cannot be made");

    assertThat(store.snapshot("pods")).isEmpty();
    put("pods/c");
    assertThat(store.revision()).isEqualTo(2);
  }

  @Test
  void whateverFailsMemoryFollowsTheJournal() throws Exception {
    journal.chance = new Random(7);
    AtomicInteger failures = new AtomicInteger();
    Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    Parallel.run(4, writer -> writeThroughFailures(writer, failures, acknowledged));
    journal.chance = null;
    recovered();

    Map<String, Long> seen = new TreeMap<>();
    store.snapshot("pods").forEach(entry -> seen.put(entry.key(), entry.revision()));
    assertThat(seen).isEqualTo(journal.contents).containsAllEntriesOf(acknowledged);
    Map<String, Long> told = new TreeMap<>();
    try (StoreWatch<Doc> watch = store.watch("pods", 1)) {
      while (watch.progress() < store.revision()) {
        watch.next(Duration.ZERO).forEach(event -> told.put(event.key(), event.revision()));
      }
    }
    assertThat(told).isEqualTo(seen);
  }

  private void writeThroughFailures(
      int writer, AtomicInteger failures, Map<String, Long> acknowledged) throws Exception {
    for (int i = 0; failures.get() < 10; i++) {
      String key = "pods/" + writer + "-" + i;
      try {
        WriteOutcome<Doc> outcome = store.commit(Doc.create(key, "x"));
        acknowledged.put(key, ((WriteOutcome.Committed<Doc>) outcome).revision());
      } catch (StoreUnavailableException e) {
        failures.incrementAndGet();
        recovered();
      }
    }
  }
}
