package dev.berth.store.etcd;

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
import dev.berth.store.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class EtcdOutageIT extends EtcdFixture {

  @Test
  void killingEtcdLosesNothingAcknowledgedAndNoEvent() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      long start = store.revision();
      Map<String, Long> acknowledged = new ConcurrentHashMap<>();
      AtomicBoolean stop = new AtomicBoolean();
      Thread killer = Thread.ofVirtual().unstarted(() -> killTwice(acknowledged, stop, store));
      killer.start();
      Parallel.run(4, writer -> writeUntil(stop, store, writer, acknowledged));
      killer.join();

      healthy(store);
      long newest = put(store, "pods/last", "x");
      acknowledged.put("pods/last", newest);
      assertThat(created(watched(store, start, newest))).containsAllEntriesOf(acknowledged);
      try (Store<Doc> other = open(etcd().url())) {
        assertThat(other.snapshot("pods")).containsExactlyElementsOf(store.snapshot("pods"));
        assertThat(created(watched(store, start, newest))).hasSize(other.snapshot("pods").size());
      }
    }
  }

  private void killTwice(Map<String, Long> acknowledged, AtomicBoolean stop, Store<Doc> store) {
    try {
      for (int i = 1; i <= 2; i++) {
        int enough = acknowledged.size() + 150;
        Await.until("writes", () -> acknowledged.size() > enough);
        etcd().kill();
        Await.until("the loss is noticed", () -> store.health() instanceof StoreHealth.Degraded);
        etcd().start();
        Await.until("writes again", () -> acknowledged.size() > enough + 150);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      stop.set(true);
    }
  }

  private static void writeUntil(
      AtomicBoolean stop, Store<Doc> store, int writer, Map<String, Long> acknowledged)
      throws Exception {
    for (int i = 0; !stop.get(); i++) {
      String key = "pods/w" + writer + "/" + i;
      try {
        acknowledged.put(key, put(store, key, "x"));
      } catch (StoreUnavailableException e) {
        Await.until(
            "writes accepted", () -> stop.get() || store.health() instanceof StoreHealth.Ok);
      }
    }
  }

  private static Map<String, Long> created(List<StoreEvent<Doc>> events) {
    Map<String, Long> revisions = new TreeMap<>();
    long last = 0;
    for (StoreEvent<Doc> event : events) {
      assertThat(event.revision()).isGreaterThan(last);
      last = event.revision();
      assertThat(revisions.put(event.key(), event.revision())).isNull();
    }
    return revisions;
  }

  @Test
  void withoutEtcdReadsGoOnAndWritesFailWithARemedy() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      put(store, "pods/a", "x");
      StoreWatch<Doc> watch = store.watch("pods", store.revision());
      etcd().kill();
      Await.until("the loss is noticed", () -> store.health() instanceof StoreHealth.Degraded);

      assertThatThrownBy(() -> store.commit(Doc.create("pods/b", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith("etcd at " + etcd().url() + " cannot be reached: UNAVAILABLE")
          .hasMessageEndingWith(
              "See that etcd runs and has a leader (etcdctl endpoint status), and that %s is its address; this server reconnects by itself",
              etcd().url());
      assertThat(store.get("pods/a")).isNotNull();
      assertThat(watch.next(Duration.ZERO)).isEmpty();

      etcd().start();
      healthy(store);
      long revision = put(store, "pods/b", "x");
      assertThat(watch.next(SOON)).extracting(StoreEvent::revision).containsExactly(revision);
    }
  }

  @Test
  void anEtcdThatIsNotThereIsToldAtStart() throws Exception {
    etcd().kill();
    EtcdConfig config =
        EtcdConfig.of(List.of(etcd().url()))
            .withTimeouts(Duration.ofMillis(500), Duration.ofSeconds(1));
    assertThatThrownBy(
            () -> EtcdStore.open(config, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("etcd at " + etcd().url() + " cannot be reached: ")
        .hasMessageEndingWith("is its address; then start this server again");
  }

  @Test
  void aWriteWhoseAnswerIsLostIsNotAcknowledgedAndSeenLater() throws Exception {
    try (Proxy proxy = new Proxy(etcd().clientPort());
        Store<Doc> store = open(proxy.url())) {
      put(store, "pods/a", "x");
      proxy.swallowAnswers();

      assertThatThrownBy(() -> store.commit(Doc.create("pods/b", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith(
              "a write of pods/b was not acknowledged and may or may not be stored: DEADLINE_EXCEEDED");

      proxy.restore();
      Await.until("the write is seen", () -> store.get("pods/b") != null);
      healthy(store);
      assertThat(store.commit(Doc.create("pods/b", "x"))).isInstanceOf(WriteOutcome.Refused.class);
    }
  }
}
