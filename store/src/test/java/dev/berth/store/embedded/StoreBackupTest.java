package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreBackupTest {
  @TempDir private Path temp;
  private Path data = Path.of("");
  private Path target = Path.of("");

  @BeforeEach
  void directories() throws IOException {
    data = temp.resolve("data");
    target = Files.createDirectory(temp.resolve("target"));
  }

  private static Store<Doc> open(Path directory) {
    return open(directory, InstantSource.system());
  }

  private static Store<Doc> open(Path directory, InstantSource clock) {
    return EmbeddedStore.open(directory, Doc.DECODER, StoreLimits.DEFAULT, clock);
  }

  private static long revision(WriteOutcome<Doc> outcome) {
    return ((WriteOutcome.Committed<Doc>) outcome).revision();
  }

  @Test
  void aCopyOfAStoreInUseHasEverythingUpToItsRevision() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    try (Store<Doc> store = open(data)) {
      long before = revision(store.commit(Doc.create("pods/before", "x")));
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!enough.get()) {
                        long number = written.get();
                        store.commit(Doc.create("pods/p" + number, "x".repeat(500)));
                        written.set(number + 1);
                      }
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      Await.until("a hundred writes", () -> written.get() >= 100);
      StoreBackup made = StoreBackup.make(data, target);
      enough.set(true);
      writer.join();

      // One revision for each of them, in order.
      assertThat(made.revision()).isBetween(before + 100, store.revision());
      assertThat(made.objects()).isEqualTo((int) (made.revision() - before + 1));
      try (Store<Doc> copy = open(target)) {
        assertThat(copy.snapshot("pods").size()).isEqualTo(made.objects());
        assertThat(copy.get("pods/p" + (made.objects() - 2))).isNotNull();
      }
    }
  }

  @Test
  void revisionsOfACopyAreBeyondThoseThatClientsMayKnow() throws Exception {
    try (Store<Doc> store = open(data)) {
      store.commit(Doc.create("pods/saved", "x"));
      StoreBackup.make(data, target);
      long later = revision(store.commit(Doc.create("pods/lost", "x")));
      try (Store<Doc> copy = open(target)) {
        assertThatThrownBy(() -> copy.watch("pods", later))
            .isInstanceOf(RevisionCompactedException.class);
        assertThat(revision(copy.commit(Doc.create("pods/new", "x"))))
            .isGreaterThan(later + 1_000_000);
        assertThat(copy.get("pods/lost")).isNull();
      }
    }
  }

  @Test
  void soAreThoseOfACopyThatIsRestoredOnceMore() throws Exception {
    try (Store<Doc> store = open(data)) {
      store.commit(Doc.create("pods/saved", "x"));
    }
    StoreBackup.make(data, target);
    Instant moment = Instant.parse("2026-01-31T12:00:00Z");
    long known = 0;
    for (int restore = 0; restore < 3; restore++) {
      Path directory = Files.createDirectory(temp.resolve("restored-" + restore));
      Files.copy(target.resolve(EmbeddedStore.FILE), directory.resolve(EmbeddedStore.FILE));
      try (Store<Doc> restored =
          open(directory, InstantSource.fixed(moment.plusSeconds(restore * 60L)))) {
        assertThat(restored.revision()).isGreaterThan(known);
        for (int i = 0; i < 10; i++) {
          known = revision(restored.commit(Doc.create("pods/p" + i, "x")));
        }
      }
      try (Store<Doc> again = open(directory)) {
        assertThat(again.revision()).as("a restart is no restore").isEqualTo(known);
      }
    }
  }

  @Test
  void aStoreThatNobodyUsesIsCopiedAndLeftAsItIs() throws Exception {
    try (Store<Doc> store = open(data)) {
      store.commit(Doc.create("secrets/a", "x"));
    }
    byte[] before = Files.readAllBytes(data.resolve(EmbeddedStore.FILE));
    assertThat(StoreBackup.make(data, target).objects()).isEqualTo(1);

    assertThat(Files.readAllBytes(data.resolve(EmbeddedStore.FILE))).isEqualTo(before);
    Path copy = target.resolve(EmbeddedStore.FILE);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
  }

  @Test
  void damageIsToldAndNotCopied() throws Exception {
    try (Store<Doc> store = open(data)) {
      for (int i = 0; i < 200; i++) {
        store.commit(Doc.create("pods/p" + i, "some-content ".repeat(100)));
      }
    }
    Path file = data.resolve(EmbeddedStore.FILE);
    byte[] content = Files.readAllBytes(file);
    content[content.length - 100] ^= 1;
    Files.write(file, content);
    assertThatThrownBy(() -> StoreBackup.make(data, target))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("is damaged: the checksum of pods/p");
  }

  @Test
  void writesThatAreNoLongerThereAreTold() throws Exception {
    try (Store<Doc> store = open(data)) {
      store.commit(Doc.create("pods/a", "x"));
    }
    try (AcknowledgedRevision later =
        new AcknowledgedRevision(data.resolve(EmbeddedStore.FILE + "-acknowledged"))) {
      later.note(7);
    }
    assertThatThrownBy(() -> StoreBackup.make(data, target))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("writes were acknowledged up to revision 7, and it ends with 2");
  }
}
