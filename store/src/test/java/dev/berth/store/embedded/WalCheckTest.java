package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs that SQLite wrote, as they are found after the writer was killed, and damaged afterwards.
final class WalCheckTest {
  private static final int PAGE = 4096;
  private static final int FRAME = 24 + PAGE;

  @TempDir private Path directory;
  private byte[] log = {};

  @BeforeEach
  void twelveTransactions() throws SQLException, IOException {
    log = logOf(connection -> insert(connection, 12));
  }

  private interface Writer {
    void write(Connection connection) throws SQLException;
  }

  private byte[] logOf(Writer writer) throws SQLException, IOException {
    Path file = directory.resolve("test.db");
    Files.deleteIfExists(file);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      SqliteFile.execute(
          connection,
          "PRAGMA page_size = " + PAGE,
          "PRAGMA journal_mode = WAL",
          "PRAGMA wal_autocheckpoint = 0",
          "CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB)");
      writer.write(connection);
      return Files.readAllBytes(directory.resolve("test.db-wal"));
    }
  }

  /// Each is one transaction of several frames.
  private static void insert(Connection connection, int transactions) throws SQLException {
    for (int i = 0; i < transactions; i++) {
      SqliteFile.execute(connection, "INSERT INTO t (value) VALUES (randomblob(10000))");
    }
  }

  private Optional<WalCheck.Damage> check(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("checked-wal"), bytes);
    return WalCheck.find(file, PAGE);
  }

  private static byte[] overwritten(byte[] bytes, int from, int length) {
    byte[] copy = bytes.clone();
    Arrays.fill(copy, from, from + length, (byte) 0x5a);
    return copy;
  }

  private static int at(int frame) {
    return 32 + (frame - 1) * FRAME;
  }

  private static int frames(byte[] log) {
    return (log.length - 32) / FRAME;
  }

  /// The frames that end a transaction, counted from 1.
  private static List<Integer> commits(byte[] log) {
    List<Integer> commits = new ArrayList<>();
    for (int frame = 1; frame <= frames(log); frame++) {
      if (ByteBuffer.wrap(log).getInt(at(frame) + 4) != 0) {
        commits.add(frame);
      }
    }
    return commits;
  }

  @Test
  void anIntactLogIsFineWhereverItEnds() throws IOException {
    assertThat(commits(log)).hasSizeGreaterThan(12);
    assertThat(check(log)).isEmpty();
    for (int length = 0; length < log.length; length += 1_001) {
      assertThat(check(Arrays.copyOf(log, length))).as("%d bytes", length).isEmpty();
    }
  }

  @Test
  void aBadFrameBeforeTheLastTransactionIsDamage() throws IOException {
    int lastOfOthers = commits(log).reversed().get(1);
    for (int frame = 1; frame <= lastOfOthers; frame++) {
      byte[] damaged = overwritten(log, at(frame) + 2_000, 64);
      assertThat(check(damaged))
          .as("frame %d", frame)
          .contains(new WalCheck.Damage(frame, at(frame)));
    }
  }

  @Test
  void aBadFrameHeaderBeforeTheLastTwoTransactionsIsDamage() throws IOException {
    int lastOfOthers = commits(log).reversed().get(2);
    for (int frame = 1; frame <= lastOfOthers; frame++) {
      assertThat(check(overwritten(log, at(frame), 64)))
          .as("frame %d", frame)
          .contains(new WalCheck.Damage(frame, at(frame)));
    }
  }

  @Test
  void aLostBlockInTheMiddleIsDamage() throws IOException {
    byte[] damaged = overwritten(log, log.length / 2, 3 * FRAME);
    assertThat(check(damaged)).isPresent();
  }

  @Test
  void aBadHeaderIsDamage() throws IOException {
    assertThat(check(overwritten(log, 0, 4))).contains(new WalCheck.Damage(0, 0));
    assertThat(check(overwritten(log, 16, 4))).contains(new WalCheck.Damage(0, 0));
    assertThat(check(overwritten(log, 0, 64))).contains(new WalCheck.Damage(0, 0));
  }

  /// Pages reach the disk in any order until the sync that the power cut prevented.
  @Test
  void whateverIsMissingOfTheLastTransactionIsLeftToSqlite() throws IOException {
    int first = commits(log).reversed().get(1) + 1;
    int count = frames(log) - first + 1;
    assertThat(count).isBetween(3, 6);
    for (int missing = 1; missing < 1 << count; missing++) {
      byte[] torn = log.clone();
      for (int i = 0; i < count; i++) {
        if ((missing & 1 << i) != 0) {
          Arrays.fill(torn, at(first + i), at(first + i + 1), (byte) 0);
        }
      }
      assertThat(check(torn)).as("missing %s", Integer.toBinaryString(missing)).isEmpty();
    }
  }

  @Test
  void aFileOfZerosIsALogThatWasNeverSynced() throws IOException {
    assertThat(check(new byte[log.length])).isEmpty();
  }

  @Test
  void framesOfAnEarlierRoundMayFollow() throws Exception {
    byte[] second =
        logOf(
            connection -> {
              insert(connection, 12);
              SqliteFile.execute(connection, "PRAGMA wal_checkpoint(RESTART)");
              insert(connection, 3);
            });
    assertThat(commits(second)).hasSizeGreaterThan(6);
    assertThat(check(second)).isEmpty();

    // The last transaction of the new round, before the rest of the old one.
    int end = commits(second).get(2);
    assertThat(check(overwritten(second, at(end) - 2_000, 64))).isEmpty();
    assertThat(check(overwritten(second, at(1) + 2_000, 64)))
        .contains(new WalCheck.Damage(1, at(1)));
  }

  /// The first start after a power cut writes over what the cut left, and may meet the next one.
  @Test
  void whatATransactionThatWasTakenBackLeftMayFollow() throws IOException {
    List<Integer> commits = commits(log).reversed();
    byte[] torn = log.clone();
    // Of two transactions that were cut off at different times each lacks its beginning; what
    // follows the second one is not what was written behind it.
    torn[at(commits.get(1)) - 100] ^= 1;
    torn[at(commits.get(1)) + 17] ^= 1;
    torn[at(commits.get(1) + 1) + 300] ^= 1;
    assertThat(check(torn)).isEmpty();
  }
}
