package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Parallel;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import io.etcd.jetcd.api.PutRequest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Who asks for the newest state sees what another server acknowledged before.
final class CatchUpIT extends EtcdFixture {
  private static final int ROUNDS = 200;

  @Test
  void whatAnotherServerAcknowledgedIsSeen() throws Exception {
    try (Store<Doc> a = open(etcd().url());
        Store<Doc> b = open(etcd().url())) {
      Parallel.run(
          4,
          writer -> {
            String key = "pods/" + writer;
            for (int i = 0; i < ROUNDS; i++) {
              long written = put(a, key, "x" + i);
              b.catchUp();
              StoreEntry<Doc> seen = Objects.requireNonNull(b.get(key));
              assertThat(seen.revision()).isEqualTo(written);
              a.commit(Doc.delete(key, written));
              b.catchUp();
              assertThat(b.get(key)).isNull();
            }
          });
    }
  }

  @Test
  void whereNobodyElseWritesNothingIsWrittenToKnowIt() throws Exception {
    try (Store<Doc> store = open(etcd().url());
        EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
      long written = put(store, "pods/a", "x");
      for (int i = 0; i < ROUNDS; i++) {
        store.catchUp();
      }
      assertThat(client.newestRevision()).isEqualTo(written);
    }
  }

  @Test
  void writesOfOthersOutsideThePrefixDoNotHoldReadersUp() throws Exception {
    try (Store<Doc> a = open(etcd().url());
        Store<Doc> b = open(etcd().url());
        EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
      for (int i = 0; i < 20; i++) {
        long written = put(a, "pods/a", "x" + i);
        long stranger = putOutside(client);
        b.catchUp();
        assertThat(b.revision()).isGreaterThan(stranger);
        assertThat(Objects.requireNonNull(b.get("pods/a")).revision()).isEqualTo(written);
      }
      assertThat(b.health()).isEqualTo(new StoreHealth.Ok());
    }
    try (Store<Doc> later = open(etcd().url())) {
      assertThat(later.snapshot("pods").size()).isEqualTo(1);
    }
  }

  private static boolean canCatchUp(Store<Doc> store) throws InterruptedException {
    try {
      store.catchUp();
      return true;
    } catch (StoreUnavailableException _) {
      return false;
    }
  }

  static long putOutside(EtcdClient client) {
    PutRequest request =
        PutRequest.newBuilder().setKey(ByteString.copyFromUtf8("/somebody/else")).build();
    return client.keys().put(request).getHeader().getRevision();
  }

  @Test
  void anEtcdThatDoesNotAnswerIsTold() throws Exception {
    try (Proxy proxy = new Proxy(etcd().clientPort());
        Store<Doc> store = open(proxy.url())) {
      put(store, "pods/a", "x");
      proxy.cut();
      assertThatThrownBy(store::catchUp)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("etcd");
      proxy.restore();
      Await.until("the newest state is known again", () -> canCatchUp(store));
    }
  }
}
