package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import dev.berth.store.StoreWrite;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FullDiskIT {
  private static final String LOG = "store/objects.db-wal";

  @TempDir Path disk;
  private boolean mounted;
  private final TreeSet<String> acknowledged = new TreeSet<>();

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=64m", "berth-test", disk.toString());
    assumeTrue(mounted, "a small file system cannot be mounted: this needs root and mount(8)");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      // A process that another test is just starting may hold it for a moment.
      assertThat(run("umount", "--lazy", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private Store<Doc> open() {
    return EmbeddedStore.open(
        disk.resolve("store"), Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  @Test
  void aBackupToAFullDiskTellsOfThatDisk(@TempDir Path elsewhere) throws Exception {
    try (Store<Doc> store =
        EmbeddedStore.open(elsewhere, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system())) {
      write(store, "pods/a");
      Path target = Files.createDirectory(disk.resolve("backup"));
      fill(disk.resolve("filler"));
      assertThatThrownBy(() -> StoreBackup.make(elsewhere, target))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith("no copy was made of " + elsewhere.resolve("objects.db: "))
          .hasMessageEndingWith(". Free space on the file system of " + disk);
    }
  }

  @Test
  void aFullDiskRefusesWritesUntilThereIsSpace() throws Exception {
    try (Store<Doc> store = open()) {
      for (int i = 0; i < 50; i++) {
        write(store, "pods/before-" + i);
      }
      Path filler = disk.resolve("filler");
      fill(filler);

      assertThatThrownBy(() -> writeWithoutEnd(store))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith(
              "journal " + disk.resolve("store/objects.db") + " accepts no new objects: ")
          .hasMessageEndingWith(
              "Free space on the file system of "
                  + disk.resolve("store")
                  + ", or delete objects, which is still possible; writes then resume");
      assertThat(store.health()).isInstanceOf(StoreHealth.Degraded.class);
      assertFound(store);

      try (StoreWatch<Doc> watch = store.watch("pods", store.revision())) {
        Files.delete(filler);
        Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
        write(store, "pods/after");
        assertThat(watch.next(Duration.ofSeconds(20)))
            .extracting(StoreEvent::key)
            .containsExactly("pods/after");
      }
      assertFound(store);
    }
    try (Store<Doc> store = open()) {
      assertFound(store);
    }
  }

  @Test
  void objectsAreMarkedAndDeletedOnADiskWithoutAByteLeft() throws Exception {
    try (Store<Doc> store = open()) {
      for (int i = 0; i < 1_000; i++) {
        write(store, "pods/full-" + i);
      }
      assertThat(Files.size(disk.resolve(LOG))).isGreaterThan(4 << 20);
      Path filler = disk.resolve("filler");
      fill(filler);
      assertThat(disk.toFile().getUsableSpace()).isZero();

      for (String key : List.copyOf(acknowledged)) {
        StoreEntry<Doc> found = Objects.requireNonNull(store.get(key));
        WriteOutcome<Doc> marked =
            store.commit(Doc.replace(key, "d".repeat(3_100), found.revision()));
        assertThat(marked).isInstanceOf(WriteOutcome.Committed.class);
        assertThat(
                store.commit(
                    new StoreWrite.Delete(key, Objects.requireNonNull(store.get(key)).revision())))
            .isInstanceOf(WriteOutcome.Committed.class);
        acknowledged.remove(key);
      }
      assertFound(store);
      assertThatThrownBy(() -> write(store, "pods/new"))
          .isInstanceOf(StoreUnavailableException.class);
      Files.delete(filler);
      Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
      write(store, "pods/after");
    }
    try (Store<Doc> store = open()) {
      assertFound(store);
    }
  }

  /// However little space there is, a first start makes a sound file or none.
  @Test
  void aFirstStartOnANearlyFullDiskLeavesNothingDamaged() throws Exception {
    Path filler = disk.resolve("filler");
    open().close();
    Path store = disk.resolve("store");
    for (int free = 0; free <= 160; free += 4) {
      Files.delete(store.resolve("objects.db"));
      Files.deleteIfExists(store.resolve("objects.db-acknowledged"));
      fill(filler);
      try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
        channel.truncate(Math.max(0, channel.size() - free * 1024L));
      }
      try {
        open().close();
      } catch (StoreUnavailableException e) {
        assertThat(e).hasMessageContaining("Free space on the file system of " + store);
      }
      Files.delete(filler);
      assertThat(store).isDirectoryNotContaining("glob:**.new*");
      open().close();
    }
  }

  private static void fill(Path filler) throws IOException {
    try (OutputStream out = Files.newOutputStream(filler)) {
      byte[] block = new byte[64 << 10];
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private void writeWithoutEnd(Store<Doc> store) throws InterruptedException {
    for (int i = 0; ; i++) {
      write(store, "pods/during-" + i);
    }
  }

  private void write(Store<Doc> store, String key) throws InterruptedException {
    assertThat(store.commit(Doc.create(key, "x".repeat(3_000))))
        .isInstanceOf(WriteOutcome.Committed.class);
    acknowledged.add(key);
  }

  private void assertFound(Store<Doc> store) {
    TreeSet<String> found = new TreeSet<>();
    store.snapshot("pods").forEach(entry -> found.add(entry.key()));
    assertThat(found).isEqualTo(acknowledged);
  }
}
