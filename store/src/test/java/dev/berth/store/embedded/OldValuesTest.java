package dev.berth.store.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreLimits;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Values that were replaced or deleted are in no file of a running store after a while.
final class OldValuesTest {
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path directory;

  private Store<Doc> open() {
    StoreLimits limits =
        StoreLimits.DEFAULT.withHistory(Duration.ofMillis(200), 10_000, 32 * MEGABYTE);
    return EmbeddedStore.open(directory, Doc.DECODER, limits, InstantSource.system());
  }

  @Test
  void replacedAndDeletedValuesLeaveTheFilesWhileTheStoreIsOpen() throws Exception {
    try (Store<Doc> store = open()) {
      for (int i = 0; i < 100; i++) {
        write(store, "secrets/default/small-" + i, "needle-small-" + i);
        write(store, "secrets/default/large-" + i, "needle-large-".repeat(2_000) + i);
      }
      write(store, "secrets/default/deleted", "needle-deleted");
      assertThat(filesWith("needle-")).isNotEmpty();

      for (int i = 0; i < 100; i++) {
        write(store, "secrets/default/small-" + i, "encrypted");
        write(store, "secrets/default/large-" + i, "encrypted".repeat(2_000));
      }
      store.commit(
          Doc.delete(
              "secrets/default/deleted",
              Objects.requireNonNull(store.get("secrets/default/deleted")).revision()));

      Await.until("old values are gone", () -> filesWith("needle-").isEmpty());
      assertThat(Files.size(directory.resolve(EmbeddedStore.FILE + "-wal")))
          .isLessThan(20 * MEGABYTE);
    }
    try (Store<Doc> store = open()) {
      assertThat(Objects.requireNonNull(store.get("secrets/default/small-7")).value().text())
          .isEqualTo("encrypted");
      assertThat(store.get("secrets/default/deleted")).isNull();
    }
  }

  /// More than the log holds, so that it begins again and again, and leaves old frames behind.
  @Test
  void aLogThatBeganAgainIsErasedToItsEnd() throws Exception {
    try (Store<Doc> store = open()) {
      String large = "needle-".repeat(100_000);
      for (int i = 0; i < 60; i++) {
        write(store, "secrets/default/large", large + i);
      }
      write(store, "secrets/default/large", "encrypted");

      Await.until("old values are gone", () -> filesWith("needle-").isEmpty());
    }
  }

  @Test
  void theLogDoesNotGrowByBeingErased() throws Exception {
    try (Store<Doc> store = open()) {
      for (int i = 0; i < 5; i++) {
        String marker = "needle-%d-".formatted(i);
        write(store, "secrets/default/one", marker);
        write(store, "secrets/default/one", "encrypted " + i);
        Await.until("old values are gone", () -> filesWith(marker).isEmpty());
      }
      assertThat(Files.size(directory.resolve(EmbeddedStore.FILE + "-wal")))
          .isLessThan(14 * MEGABYTE);
    }
  }

  private static void write(Store<Doc> store, String key, String text) throws InterruptedException {
    StoreEntry<Doc> current = store.get(key);
    assertThat(
            store.commit(
                current == null
                    ? Doc.create(key, text)
                    : Doc.replace(key, text, current.revision())))
        .isInstanceOf(WriteOutcome.Committed.class);
  }

  private List<Path> filesWith(String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), ISO_8859_1).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
