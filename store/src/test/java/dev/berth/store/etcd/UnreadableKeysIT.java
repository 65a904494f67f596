package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import dev.berth.store.StoredDecoder;
import io.etcd.jetcd.api.CompactionRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What somebody else may have written below our prefix.
final class UnreadableKeysIT extends EtcdFixture {
  private static final byte[] GARBAGE = "garbage".getBytes(StandardCharsets.UTF_8);

  private static final StoredDecoder<Doc> PICKY =
      (key, value) -> {
        if (ByteString.copyFrom(value).equals(ByteString.copyFrom(GARBAGE))) {
          throw new IllegalArgumentException("not an object");
        }
        return Doc.DECODER.decode(key, value);
      };

  private static final StoreHealth.Degraded PROBLEM =
      new StoreHealth.Degraded(
          "key /berth/pods/a in etcd cannot be read",
          "not an object",
          "Correct or delete it with etcdctl, or give this server a prefix of its own (--etcd-prefix)");

  private static @Nullable String text(@Nullable StoreEntry<Doc> entry) {
    return entry == null ? null : entry.value().text();
  }

  @Test
  void aValueThatCannotBeReadLeavesTheLastOneServedUntilItIsCorrected() throws Exception {
    try (Store<Doc> store = open(etcd().url(), PICKY)) {
      long good = put(store, "pods/a", "good");
      StoreWatch<Doc> watch = store.watch("pods", good);
      putByHand("pods/a", "garbage");
      Await.until("the problem is told", () -> PROBLEM.equals(store.health()));

      assertThat(text(store.get("pods/a"))).isEqualTo("good");
      store.catchUp();
      long other = put(store, "pods/b", "x");
      assertThat(watch.next(SOON)).extracting(StoreEvent::revision).containsExactly(other);
      assertThatThrownBy(() -> store.commit(Doc.delete("pods/a", good)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage(PROBLEM.toString());

      putByHand("pods/a", "better");
      healthy(store);
      assertThat(watch.next(SOON))
          .extracting(event -> text(event.previous()), event -> text(event.current()))
          .containsExactly(tuple("good", "better"));
    }
  }

  @Test
  void aKeyThatCouldNeverBeReadComesAndGoesUnseen() throws Exception {
    try (Store<Doc> store = open(etcd().url(), PICKY)) {
      StoreWatch<Doc> watch = store.watch("pods", store.revision());
      putByHand("pods/a", "garbage");
      Await.until("the problem is told", () -> PROBLEM.equals(store.health()));
      assertThat(store.get("pods/a")).isNull();

      deleteByHand("pods/a");
      healthy(store);
      long next = put(store, "pods/b", "x");
      assertThat(watch.next(SOON)).extracting(StoreEvent::revision).containsExactly(next);
    }
  }

  @Test
  void deletingItDeletesTheLastValueToo() throws Exception {
    try (Store<Doc> store = open(etcd().url(), PICKY)) {
      put(store, "pods/a", "good");
      putByHand("pods/a", "garbage");
      Await.until("the problem is told", () -> PROBLEM.equals(store.health()));
      deleteByHand("pods/a");
      Await.until("the deletion is seen", () -> store.get("pods/a") == null);
      healthy(store);
    }
  }

  @Test
  void readingAllAnewKeepsTheLastValueAsWell() throws Exception {
    try (Proxy proxy = new Proxy(etcd().clientPort());
        Store<Doc> store = open(proxy.url(), PICKY)) {
      long good = put(store, "pods/a", "good");
      proxy.cut();
      Await.until("the loss is noticed", () -> store.health() instanceof StoreHealth.Degraded);
      putByHand("pods/a", "garbage");
      putByHand("pods/b", "x");
      try (EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
        client.keys().compact(CompactionRequest.newBuilder().setRevision(good + 2).build());
      }
      proxy.restore();

      Await.until("all is read again", () -> store.get("pods/b") != null);
      assertThat(text(store.get("pods/a"))).isEqualTo("good");
      Await.until("the problem is told", () -> PROBLEM.equals(store.health()));
    }
  }

  @Test
  void withoutALastValueTheStartIsRefused() throws Exception {
    putByHand("pods/a", "garbage");
    assertThatThrownBy(() -> open(etcd().url(), PICKY).close())
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(PROBLEM.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stray", "/stray", "stray/", ""})
  void aKeyThatIsNotOfOurFormIsIgnored(String stray) throws Exception {
    putByHand(stray, "x");
    try (Store<Doc> store = open(etcd().url(), PICKY)) {
      long start = store.revision();
      putByHand(stray, "y");
      deleteByHand(stray);
      long revision = put(store, "pods/a", "x");
      assertThat(watched(store, start, revision))
          .extracting(StoreEvent::revision)
          .containsExactly(revision);
      assertThat(store.health()).isEqualTo(new StoreHealth.Ok());
    }
  }
}
