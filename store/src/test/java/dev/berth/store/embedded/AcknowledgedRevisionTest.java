package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a killed server leaves in its directory, and what may have become of it since.
final class AcknowledgedRevisionTest {
  private static final int HEADER = 32;
  private static final int FRAME = 24 + 4096;
  private static final int WRITES = 12;

  @TempDir private Path directory;
  private Path file = Path.of("");
  private Path log = Path.of("");
  private Path note = Path.of("");

  /// The log with the space behind its last transaction.
  private byte[] reserved = {};

  /// The log is as long as all transactions of one frame at least.
  @BeforeEach
  void aKilledServer() throws Exception {
    file = directory.resolve(EmbeddedStore.FILE);
    log = directory.resolve(EmbeddedStore.FILE + "-wal");
    note = directory.resolve(EmbeddedStore.FILE + "-acknowledged");
    Map<Path, byte[]> left = new LinkedHashMap<>();
    try (Store<Doc> store = open()) {
      for (int i = 0; i < WRITES; i++) {
        store.commit(Doc.create("pods/p" + i, "x".repeat(100)));
      }
      for (Path each : new Path[] {file, log, note}) {
        left.put(each, Files.readAllBytes(each));
      }
    }
    reserved = Objects.requireNonNull(left.get(log));
    left.put(log, Arrays.copyOf(reserved, endOfLastCommit(reserved)));
    for (Map.Entry<Path, byte[]> each : left.entrySet()) {
      Files.write(each.getKey(), each.getValue());
    }
    assertThat(Files.size(log)).isGreaterThan((long) WRITES * FRAME);
  }

  /// What is behind it is reserved space: frames of no transaction.
  private static int endOfLastCommit(byte[] log) {
    ByteBuffer bytes = ByteBuffer.wrap(log);
    int end = HEADER;
    for (int frame = HEADER; frame + FRAME <= log.length; frame += FRAME) {
      boolean isOfThisRound = bytes.getLong(frame + 8) == bytes.getLong(16);
      if (isOfThisRound && bytes.getInt(frame + 4) != 0) {
        end = frame + FRAME;
      }
    }
    return end;
  }

  private Store<Doc> open() {
    return EmbeddedStore.open(directory, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  private void cutLog(long bytes) throws IOException {
    byte[] all = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(all, (int) (all.length - bytes)));
  }

  private int pods() {
    try (Store<Doc> store = open()) {
      return store.snapshot("pods").size();
    }
  }

  @Test
  void everythingIsThereAfterAKill() {
    assertThat(pods()).isEqualTo(WRITES);
  }

  @Test
  void aDamagedLastTransactionIsTold() throws IOException {
    byte[] damaged = Files.readAllBytes(log);
    damaged[damaged.length - 100] ^= 1;
    Files.write(log, damaged);

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(
            "journal %s or its write-ahead log is damaged: writes were acknowledged up to revision"
                + " 13, and it ends with 12. Nothing was changed; restore a backup of the directory"
                + " %s, or go on without those writes: rm %s",
            file, directory, note);
    assertThat(Files.readAllBytes(log)).isEqualTo(damaged);

    Files.delete(note);
    assertThat(pods()).isEqualTo(WRITES - 1);
    assertThat(AcknowledgedRevision.read(note).getAsLong())
        .as("beyond what clients were told")
        .isGreaterThan(1_000_000);
    assertThat(pods()).isEqualTo(WRITES - 1);
  }

  @Test
  void aDamagedLastTransactionBeforeReservedSpaceIsTold() throws IOException {
    byte[] damaged = reserved.clone();
    damaged[(int) Files.size(log) - 100] ^= 1;
    Files.write(log, damaged);

    assertThat(damaged.length).isGreaterThan(1 << 20);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining(
            "writes were acknowledged up to revision 13, and it ends with 12. Nothing was changed");
    Files.write(log, reserved);
    assertThat(pods()).isEqualTo(WRITES);
  }

  @Test
  void aLogThatIsGoneOrShorterIsTold() throws IOException {
    for (long missing : new long[] {1, FRAME, 5 * FRAME, Files.size(log)}) {
      byte[] whole = Files.readAllBytes(log);
      cutLog(missing);
      assertThatThrownBy(this::open)
          .as("%d bytes less", missing)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("writes were acknowledged up to revision 13, and it ends with");
      Files.write(log, whole);
    }
    assertThat(pods()).isEqualTo(WRITES);
  }

  @Test
  void aJournalThatIsGoneIsNotTakenForAFreshStart() throws IOException {
    Files.delete(file);
    Files.delete(log);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(
            "journal %s is damaged: it is missing, but it had writes up to revision 13. Nothing was"
                + " changed; restore a backup of the directory %s, or move %s* away to start empty",
            file, directory, file);
    assertThat(file).doesNotExist();
  }

  /// A power cut loses what was not synced of the note, and perhaps a transaction that nobody was
  /// told of.
  @Test
  void aNoteThatIsBehindIsNoDamage() throws IOException {
    cutLog(1);
    try (AcknowledgedRevision behind = new AcknowledgedRevision(note)) {
      behind.note(12);
    }
    assertThat(pods()).isEqualTo(WRITES - 1);
  }

  @Test
  void aNoteThatCannotBeReadIsMadeAnew() throws IOException {
    for (String content :
        new String[] {
          "", "\0".repeat(29), "\0".repeat(4096), "0000000000000000013 00000000\n", "x"
        }) {
      Files.writeString(note, content);
      assertThat(pods()).isEqualTo(WRITES);
      assertThat(AcknowledgedRevision.read(note)).hasValue(13);
    }
  }

  @Test
  void aNoteThatCannotBeWrittenCostsNoWrite() throws Exception {
    Files.delete(note);
    Files.createDirectory(note);
    Files.createFile(note.resolve("in-the-way"));
    AcknowledgedRevision unwritable = new AcknowledgedRevision(note);
    unwritable.note(14);
    unwritable.sync();
    Files.delete(note.resolve("in-the-way"));
    Files.delete(note);
    unwritable.note(15);
    unwritable.close();
    assertThat(AcknowledgedRevision.read(note)).hasValue(15);
  }

  @Test
  void aJournalThatIsFoundBehindDoesNotTakeTheNoteBack() throws IOException {
    try (AcknowledgedRevision acknowledged = new AcknowledgedRevision(note)) {
      acknowledged.note(15);
      acknowledged.note(12);
      assertThat(AcknowledgedRevision.read(note)).hasValue(15);
      acknowledged.note(16);
    }
    assertThat(AcknowledgedRevision.read(note)).hasValue(16);
  }

  @Test
  void everyWriteIsNoted() throws Exception {
    try (Store<Doc> store = open()) {
      WriteOutcome<Doc> outcome = store.commit(Doc.create("pods/more", "x"));
      assertThat(AcknowledgedRevision.read(note))
          .hasValue(((WriteOutcome.Committed<Doc>) outcome).revision())
          .hasValue(store.revision());
    }
  }
}
