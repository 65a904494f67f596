package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteFaultsTest {
  @TempDir Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void fill() throws InterruptedException {
    file = directory.resolve(EmbeddedStore.FILE);
    try (Store<Doc> store = open()) {
      for (int i = 0; i < 200; i++) {
        store.commit(Doc.create("pods/p" + i, "some-content ".repeat(100)));
      }
    }
  }

  private Store<Doc> open() {
    return EmbeddedStore.open(directory, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  private void overwrite(long position, byte[] bytes) throws IOException {
    overwrite(file, position, bytes);
  }

  private static void overwrite(Path file, long position, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), position);
    }
  }

  /// Opening fails with a message that names file and remedy, and changes nothing.
  private void assertDamaged(String why) throws IOException {
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("journal " + file + " is damaged: ")
        .hasMessageContaining(why)
        .hasMessageEndingWith(
            ". Nothing was changed; restore a backup of the directory %s, or move %s* away to start empty",
            directory, file);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aFileThatIsNotSqliteIsLeftAlone() throws IOException {
    overwrite(0, "no longer a database".getBytes(StandardCharsets.US_ASCII));
    assertDamaged("it does not have the header of a SQLite file");
  }

  @Test
  void damagedPagesAreFound() throws IOException {
    for (int page = 1; page < 6; page++) {
      overwrite(page * 4096L, new byte[4096]);
    }
    assertDamaged("integrity_check: ");
  }

  @Test
  void aFileThatWasCutOffIsFound() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    }
    assertDamaged("database disk image is malformed");
  }

  /// Right before its key, which is the first of its texts, a row says what its value is: two bytes
  /// for the length of this one, and zero for none.
  @Test
  void aRowThatHasLostItsContentIsFound() throws IOException {
    byte[] content = Files.readAllBytes(file);
    int at = new String(content, StandardCharsets.ISO_8859_1).lastIndexOf("pods/p123");
    overwrite(at - 2, new byte[2]);
    assertDamaged("the object of revision 125 has lost its content");
  }

  @Test
  void aChangedByteIsFound() throws IOException {
    byte[] content = Files.readAllBytes(file);
    int at = new String(content, StandardCharsets.ISO_8859_1).lastIndexOf("content ");
    overwrite(at, new byte[] {'C'});
    assertDamaged("the checksum of pods/p");
  }

  @Test
  void aFileThatWasEmptiedIsNotTakenForANewOne() throws IOException {
    Files.write(file, new byte[0]);
    assertDamaged("it is empty, but a journal never is");
  }

  @Test
  void aLogWithoutItsFileIsNotTakenForAFreshStart() throws IOException {
    Files.write(directory.resolve(EmbeddedStore.FILE + "-wal"), new byte[100]);
    Files.delete(file);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("it is missing, but its write-ahead log is there");
    assertThat(file).doesNotExist();
  }

  @Test
  void aLogThatIsDamagedInTheMiddleIsTold() throws Exception {
    Path log = directory.resolve(EmbeddedStore.FILE + "-wal");
    byte[] journal;
    byte[] written;
    try (Store<Doc> store = open();
        Connection backup = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      // Keeps the log from being emptied.
      SqliteFile.execute(backup, "BEGIN");
      assertThat(SqliteFile.number(backup, "SELECT count(*) FROM objects")).isEqualTo(200);
      for (int i = 0; i < 12; i++) {
        store.commit(Doc.create("nodes/n" + i, "x".repeat(100)));
      }
      journal = Files.readAllBytes(file);
      written = Files.readAllBytes(log);
    }
    // As after a kill.
    Files.write(file, journal);
    Files.write(log, written);
    // The rest of the log's file is reserved space.
    int middle = 32 + 12 * 4120 + 2_000;
    overwrite(log, middle, "damaged ".repeat(8).getBytes(StandardCharsets.US_ASCII));
    byte[] damaged = Files.readAllBytes(log);

    int frame = 1 + (middle - 32) / 4120;
    int valid = 32 + (frame - 1) * 4120;
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(
            "write-ahead log %s is damaged: frame %d is bad, but whole transactions come after it."
                + " Nothing was changed; restore a backup of the directory %s, or give up every write"
                + " since the damage: truncate -s %d %s; rm -f %s-acknowledged",
            log, frame, directory, valid, log, file);
    assertThat(Files.readAllBytes(log)).isEqualTo(damaged);

    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(valid);
    }
    Files.delete(directory.resolve(EmbeddedStore.FILE + "-acknowledged"));
    try (Store<Doc> store = open()) {
      assertThat(store.snapshot("pods").size()).isEqualTo(200);
      assertThat(store.snapshot("nodes").size()).isBetween(1, 11);
    }
  }

  @Test
  void aFirstStartThatWasInterruptedIsBegunAnew() throws IOException, InterruptedException {
    Files.delete(file);
    Files.delete(directory.resolve(EmbeddedStore.FILE + "-acknowledged"));
    Files.writeString(directory.resolve(EmbeddedStore.FILE + ".new"), "half a file");
    Files.writeString(directory.resolve(EmbeddedStore.FILE + ".new-wal"), "and its log");
    try (Store<Doc> store = open()) {
      assertThat(store.commit(Doc.create("pods/x", "x")))
          .isInstanceOf(WriteOutcome.Committed.class);
    }
    assertThat(directory).isDirectoryNotContaining("glob:**.new*");
  }

  @Test
  void whatAnInterruptedFirstStartLeftIsRemovedLaterToo() throws IOException {
    Files.writeString(directory.resolve(EmbeddedStore.FILE + ".new-wal"), "left");
    open().close();
    assertThat(directory).isDirectoryNotContaining("glob:**.new*");
  }

  @Test
  void aRemovedLogFailsWritesUntilTheFileHasWhatItHeld() throws Exception {
    Path log = directory.resolve(EmbeddedStore.FILE + "-wal");
    try (Store<Doc> store = open()) {
      store.commit(Doc.create("pods/before", "x"));
      Files.delete(log);
      assertThatThrownBy(() -> store.commit(Doc.create("pods/during", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage(
              "journal %s cannot be used: its write-ahead log was removed while this server was"
                  + " running. Do not touch the files beside it; writes resume when it has everything"
                  + " this server wrote",
              file);

      Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
      assertThat(log).exists();
      assertThat(store.commit(Doc.create("pods/after", "x")))
          .isInstanceOf(WriteOutcome.Committed.class);
    }
    try (Store<Doc> store = open()) {
      assertThat(store.get("pods/before")).isNotNull();
      assertThat(store.get("pods/during")).isNull();
      assertThat(store.get("pods/after")).isNotNull();
    }
  }

  @Test
  void aReplacedLogFailsWrites() throws Exception {
    Path log = directory.resolve(EmbeddedStore.FILE + "-wal");
    try (Store<Doc> store = open()) {
      Path away = directory.resolve("away");
      Files.move(log, away);
      Files.copy(away, log);
      assertThatThrownBy(() -> store.commit(Doc.create("pods/during", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("another file replaced its write-ahead log");
    }
  }

  @Test
  void aForeignDatabaseIsLeftAlone() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      SqliteFile.execute(connection, "PRAGMA application_id = 1");
    }
    assertDamaged(
        "it is not a journal of this version of Berth (application 1, version 1, expected 42727468, 1)");
  }

  @Test
  void aLockedFileFailsWritesUntilItIsReleased() throws Exception {
    try (Store<Doc> store = open();
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      SqliteFile.execute(other, "BEGIN IMMEDIATE");
      assertThatThrownBy(() -> store.commit(Doc.create("pods/x", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith("journal " + file + " cannot be used: [SQLITE_BUSY]")
          .hasMessageEndingWith(
              "End the process that holds a lock on it, perhaps a backup; writes then resume");
      assertThat(store.snapshot("pods").size()).isEqualTo(200);

      SqliteFile.execute(other, "COMMIT");
      Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
      assertThat(store.commit(Doc.create("pods/x", "x")))
          .isInstanceOf(WriteOutcome.Committed.class);
    }
  }

  @Test
  void aReaderOfTheFileDoesNotHinderWrites() throws Exception {
    try (Store<Doc> store = open();
        Connection backup = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      SqliteFile.execute(backup, "BEGIN");
      assertThat(SqliteFile.number(backup, "SELECT count(*) FROM objects")).isEqualTo(200);
      for (int i = 0; i < 100; i++) {
        assertThat(store.commit(Doc.create("nodes/n" + i, "x")))
            .isInstanceOf(WriteOutcome.Committed.class);
      }
      assertThat(SqliteFile.number(backup, "SELECT count(*) FROM objects")).isEqualTo(200);
    }
  }

  @Test
  void aFileThatWasRemovedFailsWritesUntilItIsBack() throws Exception {
    try (Store<Doc> store = open()) {
      Path away = directory.resolve("away.db");
      Files.move(file, away);
      assertThatThrownBy(() -> store.commit(Doc.create("pods/x", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("it was removed while this server was running");
      assertThat(file).doesNotExist();

      Files.copy(away, file);
      Await.until(
          "the other file is noticed",
          () ->
              store.health() instanceof StoreHealth.Degraded d && d.why().contains("another file"));

      Files.delete(file);
      Files.move(away, file);
      Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
      assertThat(store.commit(Doc.create("pods/x", "x")))
          .isInstanceOf(WriteOutcome.Committed.class);
    }
    try (Store<Doc> store = open()) {
      assertThat(store.snapshot("pods").size()).isEqualTo(201);
    }
  }
}
