package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.DataDirLockedException;
import dev.berth.store.Doc;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWatch;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteRestartTest {
  @TempDir Path temporary;

  private Store<Doc> open() {
    return EmbeddedStore.open(
        temporary.resolve("store"), Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  private static long revision(WriteOutcome<Doc> outcome) {
    return ((WriteOutcome.Committed<Doc>) outcome).revision();
  }

  @Test
  void everythingIsFoundAgainWithItsRevisions() throws InterruptedException {
    List<StoreEntry<Doc>> pods = new ArrayList<>();
    long last;
    try (Store<Doc> store = open()) {
      for (int i = 0; i < 2_000; i++) {
        store.commit(Doc.create("pods/ns/p" + i, "pod " + i));
      }
      long one = revision(store.commit(Doc.create("nodes/n", "one")));
      long two = revision(store.commit(Doc.replace("nodes/n", "two", one)));
      last = revision(store.commit(Doc.replace("nodes/n", "", two)));
      store.snapshot("pods").forEach(pods::add);
      assertThat(store.get("nodes/n"))
          .isEqualTo(new StoreEntry<>("nodes/n", new Doc("", last), one, last));
    }
    try (Store<Doc> store = open()) {
      assertThat(store.revision()).isEqualTo(last);
      assertThat(store.snapshot("pods")).containsExactlyElementsOf(pods);
      assertThat(store.get("nodes/n"))
          .isEqualTo(new StoreEntry<>("nodes/n", new Doc("", last), last - 2, last));
    }
  }

  @Test
  void theRevisionDoesNotGoBackWhenTheLastWriteWasADelete() throws InterruptedException {
    long deleted;
    try (Store<Doc> store = open()) {
      long created = revision(store.commit(Doc.create("pods/a", "x")));
      deleted = revision(store.commit(Doc.delete("pods/a", created)));
    }
    try (Store<Doc> store = open()) {
      assertThat(store.revision()).isEqualTo(deleted);
      assertThat(store.snapshot("pods")).isEmpty();
      assertThat(revision(store.commit(Doc.create("pods/a", "x")))).isEqualTo(deleted + 1);
    }
  }

  @Test
  void aWatchGoesOnFromTheLastRevisionAndFromNoneBefore() throws InterruptedException {
    long last;
    try (Store<Doc> store = open()) {
      store.commit(Doc.create("pods/a", "x"));
      last = revision(store.commit(Doc.create("pods/b", "x")));
    }
    try (Store<Doc> store = open();
        StoreWatch<Doc> watch = store.watch("pods", last)) {
      assertThatThrownBy(() -> store.watch("pods", last - 1))
          .isInstanceOf(RevisionCompactedException.class);
      store.commit(Doc.create("pods/c", "x"));
      assertThat(watch.next(Duration.ofSeconds(20)))
          .extracting(StoreEvent::key)
          .containsOnly("pods/c");
    }
  }

  @Test
  void filesArePrivate() throws IOException, InterruptedException {
    try (Store<Doc> store = open()) {
      store.commit(Doc.create("secrets/a", "x"));
      Path directory = temporary.resolve("store");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
              .as(file.toString())
              .isEqualTo("rw-------");
        }
      }
    }
  }

  @Test
  void aDirectoryIsOpenedOnceAtATime() {
    try (Store<Doc> first = open()) {
      assertThat(first.revision()).isEqualTo(1);
      assertThatThrownBy(this::open)
          .isInstanceOf(DataDirLockedException.class)
          .hasMessageStartingWith("data directory " + temporary.resolve("store") + " is in use by")
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageEndingWith("; stop that process or choose another directory");
    }
    open().close();
  }
}
