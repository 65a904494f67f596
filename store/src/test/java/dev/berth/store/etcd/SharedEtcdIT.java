package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Entry;
import dev.berth.store.Event;
import dev.berth.store.Health;
import dev.berth.store.Outcome;
import dev.berth.store.Parallel;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.Watch;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedEtcdIT {
  private static final Duration SOON = Duration.ofSeconds(20);

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

  private EtcdProcess etcd() {
    return Objects.requireNonNull(started);
  }

  private static Store<Doc> open(String url) throws InterruptedException {
    EtcdConfig config =
        EtcdConfig.of(List.of(url)).withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(3));
    return EtcdStore.open(config, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  private static long put(Store<Doc> store, String key, String text) throws InterruptedException {
    Entry<Doc> current = store.get(key);
    Outcome<Doc> outcome =
        store.commit(
            current == null ? Doc.create(key, text) : Doc.replace(key, text, current.revision()));
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    return ((Outcome.Committed<Doc>) outcome).revision();
  }

  private static void healthy(Store<Doc> store) throws Exception {
    Await.until("writes accepted", () -> store.health() instanceof Health.Ok);
  }

  private static List<Event<Doc>> watched(Store<Doc> store, long after, long upTo)
      throws InterruptedException {
    List<Event<Doc>> events = new ArrayList<>();
    try (Watch<Doc> watch = store.watch("pods", after)) {
      while (watch.progress() < upTo) {
        events.addAll(watch.next(SOON));
      }
    }
    return events;
  }

  @Test
  void twoServersServeTheSameStateAndEitherMayStop() throws Exception {
    Store<Doc> a = open(etcd().url());
    try (Store<Doc> b = open(etcd().url())) {
      long start = a.revision();
      Parallel.run(8, writer -> writeRandomly(writer % 2 == 0 ? a : b, new Random(writer)));
      long newest = Math.max(a.revision(), b.revision());
      assertThat(a.awaitRevision(newest, SOON)).isTrue();
      assertThat(b.awaitRevision(newest, SOON)).isTrue();

      assertThat(a.snapshot("pods")).containsExactlyElementsOf(b.snapshot("pods"));
      assertThat(watched(a, start, newest)).isEqualTo(watched(b, start, newest));

      a.close();
      long later = put(b, "pods/after", "x");
      try (Store<Doc> c = open(etcd().url())) {
        assertThat(c.revision()).isEqualTo(later);
        assertThat(c.snapshot("pods")).containsExactlyElementsOf(b.snapshot("pods"));
      }
    }
  }

  private static void writeRandomly(Store<Doc> store, Random random) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      String key = "pods/ns/" + random.nextInt(10);
      Entry<Doc> current = store.get(key);
      Outcome<Doc> outcome =
          store.commit(
              current == null
                  ? Doc.create(key, "c" + i)
                  : random.nextInt(4) == 0
                      ? Doc.delete(key, current.revision())
                      : Doc.replace(key, "r" + i, current.revision()));
      // What a conflict tells is visible here at once, so that a second try has a chance.
      if (outcome instanceof Outcome.Refused<Doc>(Entry<Doc> found) && found != null) {
        assertThat(store.revision()).isGreaterThanOrEqualTo(found.revision());
      }
    }
  }

  @Test
  void aConflictWithAnotherServerIsRefused() throws Exception {
    try (Store<Doc> a = open(etcd().url());
        Store<Doc> b = open(etcd().url())) {
      long one = put(a, "pods/a", "one");
      long two = put(a, "pods/a", "two");
      assertThat(b.commit(Doc.replace("pods/a", "three", one)))
          .isEqualTo(new Outcome.Refused<>(a.get("pods/a")));
      assertThat(b.get("pods/a")).isEqualTo(a.get("pods/a"));

      a.commit(Doc.delete("pods/a", two));
      assertThat(b.commit(Doc.replace("pods/a", "three", two)))
          .isEqualTo(new Outcome.Refused<>(null));
      assertThat(b.get("pods/a")).isNull();
    }
  }

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
        Await.until("the loss is noticed", () -> store.health() instanceof Health.Degraded);
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
        Await.until("writes accepted", () -> stop.get() || store.health() instanceof Health.Ok);
      }
    }
  }

  private static Map<String, Long> created(List<Event<Doc>> events) {
    Map<String, Long> revisions = new TreeMap<>();
    long last = 0;
    for (Event<Doc> event : events) {
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
      Watch<Doc> watch = store.watch("pods", store.revision());
      etcd().kill();
      Await.until("the loss is noticed", () -> store.health() instanceof Health.Degraded);

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
      assertThat(watch.next(SOON)).extracting(Event::revision).containsExactly(revision);
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
        .hasMessageStartingWith("etcd at " + etcd().url() + " cannot be reached: ");
  }

  @Test
  void aServerThatMissedCompactedHistoryReadsAnew() throws Exception {
    try (Proxy proxy = new Proxy(etcd().clientPort());
        Store<Doc> behind = open(proxy.url());
        Store<Doc> other = open(etcd().url())) {
      long deleted = put(behind, "pods/deleted", "x");
      Watch<Doc> watch = behind.watch("pods", behind.revision());
      assertThat(other.awaitRevision(deleted, SOON)).isTrue();
      proxy.cut();
      Await.until("the loss is noticed", () -> behind.health() instanceof Health.Degraded);
      other.commit(Doc.delete("pods/deleted", deleted));
      for (int i = 0; i < 20; i++) {
        put(other, "pods/p", "x" + i);
      }
      compactEtcd(other.revision());

      proxy.restore();
      healthy(behind);

      assertThat(behind.awaitRevision(other.revision(), SOON)).isTrue();
      assertThat(behind.snapshot("pods")).containsExactlyElementsOf(other.snapshot("pods"));
      assertThatThrownBy(() -> watch.next(SOON)).isInstanceOf(RevisionCompactedException.class);
      assertThatThrownBy(() -> behind.watch("pods", deleted))
          .isInstanceOf(RevisionCompactedException.class);
      try (Watch<Doc> fresh = behind.watch("pods", behind.revision())) {
        long next = put(other, "pods/q", "x");
        assertThat(fresh.next(SOON)).extracting(Event::revision).containsExactly(next);
      }
    }
  }

  private void compactEtcd(long revision) {
    try (EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
      client.keys().compact(CompactionRequest.newBuilder().setRevision(revision).build());
    }
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
              "a write of pods/b was not acknowledged and may or may not have been made: DEADLINE_EXCEEDED");

      proxy.restore();
      Await.until("the write is seen", () -> store.get("pods/b") != null);
      healthy(store);
      assertThat(store.commit(Doc.create("pods/b", "x"))).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  void anEtcdThatWasSetUpAnewIsNotFollowed() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      for (int i = 0; i < 10; i++) {
        put(store, "pods/a", "x" + i);
      }
      etcd().kill();
      deleteRecursively(etcd().data());
      etcd().start();

      Await.until(
          "the difference is noticed",
          () ->
              store.health() instanceof Health.Degraded problem
                  && problem.what().contains("is not the one this server was started with"));
      assertThat(store.get("pods/a")).isNotNull();
      assertThatThrownBy(() -> store.commit(Doc.create("pods/b", "x")))
          .hasMessageContaining("it is at revision 1, this server has seen " + store.revision())
          .hasMessageEndingWith("If it was restored on purpose, restart this server");
    }
  }

  private static void deleteRecursively(Path folder) throws Exception {
    assertThat(new ProcessBuilder("rm", "-r", folder.toString()).start().waitFor()).isZero();
  }

  @Test
  void oldHistoryIsCompactedInEtcd() throws Exception {
    EtcdConfig config = EtcdConfig.of(List.of(etcd().url())).withCompaction(Duration.ofMillis(200));
    try (Store<Doc> store =
            EtcdStore.open(config, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
        EtcdClient client = new EtcdClient(config)) {
      long old = put(store, "pods/a", "0");
      Await.until(
          "revision " + old + " is compacted",
          () -> {
            put(store, "pods/a", "more");
            return isCompacted(client, old);
          });
    }
  }

  private static boolean isCompacted(EtcdClient client, long revision) {
    try {
      client
          .keys()
          .range(
              RangeRequest.newBuilder().setKey(client.key("pods/a")).setRevision(revision).build());
      return false;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.OUT_OF_RANGE;
    }
  }
}
