package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Parallel;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreLimits;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GrowthIT {
  private static final int MEGABYTE = 1 << 20;
  private static final int WRITERS = 250;

  @TempDir Path directory;

  private Store<Doc> open(StoreLimits limits) {
    return EmbeddedStore.open(directory, Doc.DECODER, limits, InstantSource.system());
  }

  private long size(String suffix) throws IOException {
    Path file = directory.resolve(EmbeddedStore.FILE + suffix);
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Test
  void leaseRenewalsLeaveFileHistoryAndHeapBounded() throws Exception {
    long heapBefore = heap();
    StoreLimits limits =
        StoreLimits.DEFAULT.withHistory(Duration.ofMinutes(5), 10_000, 32 * MEGABYTE);
    try (Store<Doc> store = open(limits)) {
      Parallel.run(
          WRITERS,
          writer -> {
            for (int i = 0; i < 800; i++) {
              renew(store, "leases/kube-node-lease/node-" + (writer * 4 + i % 4), i);
            }
          });

      assertThat(store.revision()).isEqualTo(1 + WRITERS * 800);
      assertThat(size("")).isLessThan(4 * MEGABYTE);
      assertThat(size("-wal")).isLessThan(32 * MEGABYTE);
      long oldest = store.revision() - 10_000;
      store.watch("leases", oldest).close();
      assertThatThrownBy(() -> store.watch("leases", oldest - 1))
          .isInstanceOf(RevisionCompactedException.class);
      assertThat(heap() - heapBefore).isLessThan(40 * MEGABYTE);
      Await.until("the write-ahead log is bounded", () -> size("-wal") < 17 * MEGABYTE);
    }
  }

  private static void renew(Store<Doc> store, String key, int renewal) throws InterruptedException {
    String text = "renewal " + renewal + "x".repeat(440);
    StoreEntry<Doc> current = store.get(key);
    WriteOutcome<Doc> outcome =
        store.commit(
            current == null ? Doc.create(key, text) : Doc.replace(key, text, current.revision()));
    assertThat(outcome).isInstanceOf(WriteOutcome.Committed.class);
  }

  @Test
  void spaceOfDeletedObjectsIsGivenBack() throws Exception {
    try (Store<Doc> store = open(StoreLimits.DEFAULT)) {
      Parallel.run(
          WRITERS,
          writer -> {
            for (int i = 0; i < 40; i++) {
              store.commit(Doc.create("pods/" + writer + "/" + i, "x".repeat(3_000)));
            }
          });
      assertThat(size("") + size("-wal")).isGreaterThan(30 * MEGABYTE);
      Parallel.run(
          WRITERS,
          writer -> {
            for (StoreEntry<Doc> entry : store.snapshot("pods").prefix("pods/" + writer + "/")) {
              store.commit(Doc.delete(entry.key(), entry.revision()));
            }
          });
      assertThat(store.snapshot("pods")).isEmpty();
      Await.until(
          "the file has shrunk", () -> size("") < 10 * MEGABYTE && size("-wal") < 17 * MEGABYTE);
    }
  }
}
