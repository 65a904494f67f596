package dev.berth.store.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/// One connection with its prepared statements.
final class SqliteSession {
  /// Pages in the write-ahead log (8 MiB) after which a commit also copies them into the file.
  private static final int CHECKPOINT_PAGES = 2_000;

  private static final String CACHE_SIZE = "PRAGMA cache_size = -8192";

  /// Maximum contents of the write-ahead log before a checkpoint: the checkpoint's threshold and
  /// one large group of writes.
  static final long LOG_BYTES = 4096L * CHECKPOINT_PAGES + (8L << 20);

  /// Bytes of a transaction that stay in the cache when the log is full.
  private static final long UNSPILLED_BYTES = 32 * 4096;

  /// Pages returned to the file system per step; writes wait for a step.
  private static final int VACUUM_PAGES = 512;

  /// Free pages (8 MiB) that stay in the file for the next objects.
  private static final int KEPT_FREE_PAGES = 2_048;

  private final Connection connection;
  // Not the driver's transactions: the driver begins the next one at the end of the last and
  // thereby keeps the file locked.
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement insert;
  private final PreparedStatement update;
  private final PreparedStatement delete;
  private final PreparedStatement setRevision;

  SqliteSession(Connection connection) throws SQLException {
    this.connection = connection;
    try {
      useLog();
      SqliteFile.execute(
          connection,
          "PRAGMA synchronous = FULL",
          // Deleted and replaced values, Secrets above all, must not stay in the file.
          "PRAGMA secure_delete = ON",
          "PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES,
          "PRAGMA journal_size_limit = " + 4096L * 2 * CHECKPOINT_PAGES,
          CACHE_SIZE);
      begin = connection.prepareStatement("BEGIN IMMEDIATE");
      commit = connection.prepareStatement("COMMIT");
      insert = connection.prepareStatement(SqliteSchema.INSERT);
      update = connection.prepareStatement(SqliteSchema.UPDATE);
      delete = connection.prepareStatement(SqliteSchema.DELETE);
      setRevision = connection.prepareStatement(SqliteSchema.SET_REVISION);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private void useLog() throws SQLException {
    List<String> mode = SqliteFile.readAll(connection, "PRAGMA journal_mode = WAL");
    if (!mode.equals(List.of("wal"))) {
      throw new SQLException("it cannot have a write-ahead log, its journal mode stays " + mode);
    }
  }

  long revision() throws SQLException {
    return SqliteFile.number(connection, SqliteSchema.REVISION);
  }

  /// Writes all rows and the revision in one transaction. After a failure the transaction may still
  /// be open; the caller rolls back or closes the session.
  void append(List<JournalRow> rows, long revision) throws SQLException {
    // IMMEDIATE takes the write lock at once: a later upgrade of a read lock can fail halfway.
    begin.execute();
    for (JournalRow row : rows) {
      append(row);
    }
    setRevision.setLong(1, revision);
    expectOne(setRevision.executeUpdate(), "meta");
    commit.execute();
  }

  private void append(JournalRow row) throws SQLException {
    byte[] value = row.value();
    if (value == null) {
      delete.setLong(1, row.createRevision());
      expectOne(delete.executeUpdate(), row.key());
      return;
    }
    boolean created = row.createRevision() == row.revision();
    PreparedStatement statement = created ? insert : update;
    statement.setLong(1, row.revision());
    statement.setLong(
        2, SqliteSchema.checksum(row.key(), row.createRevision(), row.revision(), value));
    statement.setBytes(3, value);
    statement.setLong(4, row.createRevision());
    if (created) {
      statement.setString(5, row.key());
    }
    expectOne(statement.executeUpdate(), row.key());
  }

  /// Detects a file that another program changed: SQLite counts zero rows as a success.
  private static void expectOne(int changed, String key) throws SQLException {
    if (changed != 1) {
      throw new SQLException("%s is in %d rows instead of one".formatted(key, changed));
    }
  }

  /// Ends a transaction that failed, if SQLite has not done so itself.
  void rollBack() throws SQLException {
    try {
      SqliteFile.execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).contains("no transaction is active")) {
        throw e;
      }
    }
  }

  /// Extends the file of the write-ahead log to the given length and overwrites its contents:
  /// writes that fit into it need no further space. The bytes written here are never committed, so
  /// that a crash leaves nothing to repair.
  void reserveLog(long bytes) throws SQLException {
    try {
      // SQLite spills pages beyond the cache to the log before the transaction ends.
      SqliteFile.execute(connection, "PRAGMA cache_size = 16", "BEGIN IMMEDIATE");
      SqliteFile.execute(
          connection,
          ("INSERT INTO objects (create_revision, key, revision, checksum, value)"
                  + " VALUES (9223372036854775807, '', 0, 0, zeroblob(%d))")
              .formatted(bytes));
    } finally {
      rollBack();
      SqliteFile.execute(connection, CACHE_SIZE);
    }
  }

  /// Checkpoints the write-ahead log, so that it starts from its beginning; its file keeps its
  /// length.
  void restartLog() throws SQLException {
    SqliteFile.execute(connection, "PRAGMA wal_checkpoint(RESTART)");
  }

  /// Overwrites the file of the write-ahead log once it is fully checkpointed.
  ///
  /// @param length of that file, in bytes
  /// @return false while another process reads the log, such as a backup
  boolean eraseLog(long length) throws SQLException {
    try {
      SqliteFile.execute(connection, "PRAGMA busy_timeout = 0");
      if (SqliteFile.number(connection, "PRAGMA wal_checkpoint(RESTART)") != 0) {
        return false;
      }
    } finally {
      SqliteFile.execute(connection, "PRAGMA busy_timeout = " + SqliteFile.BUSY_MILLIS);
    }
    reserveLog(length + UNSPILLED_BYTES);
    return true;
  }

  /// Resets the write-ahead log, then returns free pages to the file system, a few at a time.
  boolean tidy() throws SQLException {
    try {
      // Writes wait for this statement: when a backup reads the file, skip it until the next time.
      SqliteFile.execute(connection, "PRAGMA busy_timeout = 0", "PRAGMA wal_checkpoint(RESTART)");
      long free = SqliteFile.number(connection, "PRAGMA freelist_count");
      if (free > KEPT_FREE_PAGES) {
        SqliteFile.executeToEnd(connection, "PRAGMA incremental_vacuum(" + VACUUM_PAGES + ")");
      }
      return free > KEPT_FREE_PAGES;
    } finally {
      SqliteFile.execute(connection, "PRAGMA busy_timeout = " + SqliteFile.BUSY_MILLIS);
    }
  }

  /// Copies the whole log into the file, syncs both and truncates the log.
  void checkpoint() throws SQLException {
    if (SqliteFile.number(connection, "PRAGMA wal_checkpoint(TRUNCATE)") != 0) {
      throw new SQLException("another process reads it, perhaps a backup");
    }
  }

  void close() throws SQLException {
    connection.close();
  }
}
