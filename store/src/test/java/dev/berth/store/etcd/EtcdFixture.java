package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWatch;
import dev.berth.store.StoredDecoder;
import dev.berth.store.WriteOutcome;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
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

  @TempDir Path directory;
  private @Nullable EtcdProcess started;

  @BeforeEach
  void start() throws Exception {
    started = EtcdProcess.started(directory);
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
    return open(url, Doc.DECODER);
  }

  static Store<Doc> open(String url, StoredDecoder<Doc> decoder) throws InterruptedException {
    EtcdConfig config =
        EtcdConfig.of(List.of(url)).withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(3));
    return EtcdStore.open(config, decoder, StoreLimits.DEFAULT, InstantSource.system());
  }

  /// As somebody with `etcdctl` does.
  final void putByHand(String key, String value) {
    try (EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
      client
          .keys()
          .put(
              PutRequest.newBuilder()
                  .setKey(client.key(key))
                  .setValue(ByteString.copyFromUtf8(value))
                  .build());
    }
  }

  final void deleteByHand(String key) {
    try (EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd().url())))) {
      client.keys().deleteRange(DeleteRangeRequest.newBuilder().setKey(client.key(key)).build());
    }
  }

  static long put(Store<Doc> store, String key, String text) throws InterruptedException {
    StoreEntry<Doc> current = store.get(key);
    WriteOutcome<Doc> outcome =
        store.commit(
            current == null ? Doc.create(key, text) : Doc.replace(key, text, current.revision()));
    assertThat(outcome).isInstanceOf(WriteOutcome.Committed.class);
    return ((WriteOutcome.Committed<Doc>) outcome).revision();
  }

  static void healthy(Store<Doc> store) throws Exception {
    Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
  }

  static List<StoreEvent<Doc>> watched(Store<Doc> store, long after, long upTo)
      throws InterruptedException {
    List<StoreEvent<Doc>> events = new ArrayList<>();
    try (StoreWatch<Doc> watch = store.watch("pods", after)) {
      while (watch.progress() < upTo) {
        events.addAll(watch.next(SOON));
      }
    }
    return events;
  }
}
