package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreWatch;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Etcd tells up to a thousand missed changes at once; together they are longer here than a message
/// may be.
final class MissedChangesIT {
  private static final int CHANGES = 48;

  @TempDir Path directory;

  @Test
  void theyComeInSmallMessagesAndNoneIsSkipped() throws Exception {
    try (EtcdProcess etcd = EtcdProcess.started(directory);
        Proxy proxy = new Proxy(etcd.clientPort());
        Store<Doc> store = EtcdFixture.open(proxy.url())) {
      long start = store.revision();
      long newest = miss(etcd, proxy, store);
      assertThat(store.awaitRevision(newest, EtcdFixture.SOON)).isTrue();
      assertThat(EtcdFixture.watched(store, start, newest))
          .extracting(StoreEvent::key)
          .hasSize(CHANGES)
          .startsWith("pods/0", "pods/1");
    }
  }

  @Test
  void whenEtcdDoesNotSplitThemAllIsReadAnew() throws Exception {
    EtcdProcess.assumeInstalled();
    String more = "" + (64 << 20);
    try (EtcdProcess etcd =
        new EtcdProcess("one", directory, "http").withArguments("--max-request-bytes", more)) {
      etcd.start();
      etcd.awaitPort();
      try (Proxy proxy = new Proxy(etcd.clientPort());
          Store<Doc> store = EtcdFixture.open(proxy.url())) {
        StoreWatch<Doc> watch = store.watch("pods", store.revision());
        long newest = miss(etcd, proxy, store);
        assertThat(store.awaitRevision(newest, EtcdFixture.SOON)).isTrue();
        EtcdFixture.healthy(store);
        assertThat(store.snapshot("pods").count("pods/")).isEqualTo(CHANGES);
        assertThatThrownBy(() -> watch.next(EtcdFixture.SOON))
            .isInstanceOf(RevisionCompactedException.class);
      }
    }
  }

  private static long miss(EtcdProcess etcd, Proxy proxy, Store<Doc> store) throws Exception {
    proxy.cut();
    Await.until("the loss is noticed", () -> store.health() instanceof StoreHealth.Degraded);
    String large = "x".repeat(1 << 20);
    try (Store<Doc> other = EtcdFixture.open(etcd.url())) {
      for (int i = 0; i < CHANGES; i++) {
        EtcdFixture.put(other, "pods/" + i, large);
      }
      proxy.restore();
      return other.revision();
    }
  }
}
