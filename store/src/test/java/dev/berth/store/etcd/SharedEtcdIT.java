package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Parallel;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import dev.berth.store.WriteOutcome;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SharedEtcdIT extends EtcdFixture {

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
      StoreEntry<Doc> current = store.get(key);
      WriteOutcome<Doc> outcome =
          store.commit(
              current == null
                  ? Doc.create(key, "c" + i)
                  : random.nextInt(4) == 0
                      ? Doc.delete(key, current.revision())
                      : Doc.replace(key, "r" + i, current.revision()));
      // What a conflict tells is visible here at once, so that a second try has a chance.
      if (outcome instanceof WriteOutcome.Refused<Doc>(StoreEntry<Doc> found) && found != null) {
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
          .isEqualTo(new WriteOutcome.Refused<>(a.get("pods/a")));
      assertThat(b.get("pods/a")).isEqualTo(a.get("pods/a"));

      a.commit(Doc.delete("pods/a", two));
      assertThat(b.commit(Doc.replace("pods/a", "three", two)))
          .isEqualTo(new WriteOutcome.Refused<>(null));
      assertThat(b.get("pods/a")).isNull();
    }
  }

  @Test
  void aServerThatMissedCompactedHistoryReadsAnew() throws Exception {
    try (Proxy proxy = new Proxy(etcd().clientPort());
        Store<Doc> behind = open(proxy.url());
        Store<Doc> other = open(etcd().url())) {
      long deleted = put(behind, "pods/deleted", "x");
      StoreWatch<Doc> watch = behind.watch("pods", behind.revision());
      assertThat(other.awaitRevision(deleted, SOON)).isTrue();
      proxy.cut();
      Await.until("the loss is noticed", () -> behind.health() instanceof StoreHealth.Degraded);
      assertThatThrownBy(behind::catchUp).isInstanceOf(StoreUnavailableException.class);
      other.commit(Doc.delete("pods/deleted", deleted));
      for (int i = 0; i < 20; i++) {
        put(other, "pods/p", "x" + i);
      }
      compactEtcd(other.revision());

      proxy.restore();
      healthy(behind);
      behind.catchUp();
      assertThat(behind.snapshot("pods")).containsExactlyElementsOf(other.snapshot("pods"));
      assertThatThrownBy(() -> watch.next(SOON)).isInstanceOf(RevisionCompactedException.class);
      assertThatThrownBy(() -> behind.watch("pods", deleted))
          .isInstanceOf(RevisionCompactedException.class);
      try (StoreWatch<Doc> fresh = behind.watch("pods", behind.revision())) {
        long next = put(other, "pods/q", "x");
        assertThat(fresh.next(SOON)).extracting(StoreEvent::revision).containsExactly(next);
      }
    }
  }

  /// Three times what is read in one message.
  @Test
  void largeAndSmallValuesAreAllReadAtAStart() throws Exception {
    String large = "x".repeat(1 << 20);
    for (int i = 0; i < 48; i++) {
      putByHand("pods/large-" + i, large);
    }
    for (int i = 0; i < 60; i++) {
      putByHand("pods/small-" + i, "x");
    }
    try (Store<Doc> store = open(etcd().url())) {
      assertThat(store.snapshot("pods").count("pods/large-")).isEqualTo(48);
      assertThat(store.snapshot("pods").count("pods/small-")).isEqualTo(60);
    }
  }

  private void compactEtcd(long revision) {
    try (EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
      client.keys().compact(CompactionRequest.newBuilder().setRevision(revision).build());
    }
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
