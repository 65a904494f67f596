package dev.berth.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Live objects in a SQLite file, changed in place: the file grows with the data, not with time.
///
/// After any failure the connection is given up; `recover` opens a new one, so that what SQLite
/// then reads is what is in the file.
final class SqliteJournal implements Journal {
  private static final Logger log = LoggerFactory.getLogger(SqliteJournal.class);
  private static final int CHECKPOINT_PAGES = 2_000;
  private static final int VACUUM_PAGES = 512;
  private static final int KEPT_FREE_PAGES = 2_048;

  private final SqliteFile file;
  private final Object identity;
  private @Nullable Session session;

  private SqliteJournal(SqliteFile file, Session session, Object identity) {
    this.file = file;
    this.session = session;
    this.identity = identity;
  }

  /// Opens a file that was just loaded, or makes a new one.
  static SqliteJournal open(Path path, long revision) {
    SqliteFile file = new SqliteFile(path);
    Session session = null;
    try {
      if (!file.exists()) {
        file.create(SqliteSchema.CREATE);
      }
      session = new Session(file.openForWriting());
      long stored = session.revision();
      if (stored != revision) {
        throw file.damaged(
            "it was changed while it was opened (revision %d, then %d)"
                .formatted(revision, stored));
      }
      return new SqliteJournal(file, session, identity(path));
    } catch (SQLException | IOException e) {
      closeQuietly(session);
      throw file.failed(e);
    }
  }

  /// Tells one file from another that was put in its place.
  private static Object identity(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path : key;
  }

  @Override
  public void append(List<Row> rows, long revision) {
    try {
      checkIdentity();
      session().append(rows, revision);
    } catch (SQLException | IOException e) {
      giveUp();
      throw file.failed(e);
    } catch (RuntimeException e) {
      giveUp();
      throw e;
    }
  }

  /// Writing to a file that was removed or replaced would succeed, and be lost.
  private void checkIdentity() throws IOException {
    try {
      if (!identity(file.path()).equals(identity)) {
        throw file.gone("another file was put in its place while this server was running");
      }
    } catch (NoSuchFileException _) {
      throw file.gone("it was removed while this server was running");
    }
  }

  @Override
  public long recover() {
    giveUp();
    try {
      checkIdentity();
      Session fresh = new Session(file.openForWriting());
      session = fresh;
      long stored = fresh.revision();
      // A checkpoint and a write must succeed before anybody is told that writes do; the checkpoint
      // also makes frames of the
      // write-ahead log durable whose sync may have failed.
      fresh.checkpoint();
      fresh.append(List.of(), stored);
      return stored;
    } catch (SQLException | IOException e) {
      giveUp();
      throw file.failed(e);
    } catch (RuntimeException e) {
      giveUp();
      throw e;
    }
  }

  @Override
  public boolean tidy() {
    try {
      return session().tidy();
    } catch (SQLException e) {
      giveUp();
      throw file.failed(e);
    }
  }

  private Session session() throws SQLException {
    Session open = session;
    if (open == null) {
      throw new SQLException("it is not open");
    }
    return open;
  }

  private void giveUp() {
    closeQuietly(session);
    session = null;
  }

  @Override
  public void close() {
    giveUp();
  }

  private static void closeQuietly(@Nullable Session session) {
    if (session != null) {
      try {
        session.close();
      } catch (SQLException e) {
        log.debug("closing the journal failed", e);
      }
    }
  }

  /// One connection with its prepared statements.
  private static final class Session {
    private final Connection connection;
    // Not the driver's own transactions: it begins the next one with the end of the last and so
    // keeps the file locked.
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement delete;
    private final PreparedStatement setRevision;

    Session(Connection connection) throws SQLException {
      this.connection = connection;
      try {
        SqliteFile.execute(
            connection,
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES,
            "PRAGMA journal_size_limit = " + 4096L * 2 * CHECKPOINT_PAGES,
            "PRAGMA cache_size = -8192");
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

    long revision() throws SQLException {
      return SqliteFile.number(connection, SqliteSchema.REVISION);
    }

    void append(List<Row> rows, long revision) throws SQLException {
      begin.execute();
      for (Row row : rows) {
        append(row);
      }
      setRevision.setLong(1, revision);
      expectOne(setRevision.executeUpdate(), "meta");
      commit.execute();
    }

    private void append(Row row) throws SQLException {
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

    private static void expectOne(int changed, String key) throws SQLException {
      if (changed != 1) {
        throw new SQLException("%s is in %d rows instead of one".formatted(key, changed));
      }
    }

    /// Empties the write-ahead log, then gives free pages back to the file system, a few at a time.
    boolean tidy() throws SQLException {
      try {
        // Writes are waiting behind this: when a backup reads the file just now, try another time.
        SqliteFile.execute(
            connection, "PRAGMA busy_timeout = 0", "PRAGMA wal_checkpoint(TRUNCATE)");
        long free = SqliteFile.number(connection, "PRAGMA freelist_count");
        if (free > KEPT_FREE_PAGES) {
          SqliteFile.executeToEnd(connection, "PRAGMA incremental_vacuum(" + VACUUM_PAGES + ")");
        }
        return free > KEPT_FREE_PAGES;
      } finally {
        SqliteFile.execute(connection, "PRAGMA busy_timeout = " + SqliteFile.BUSY_MILLIS);
      }
    }

    void checkpoint() throws SQLException {
      if (SqliteFile.number(connection, "PRAGMA wal_checkpoint(TRUNCATE)") != 0) {
        throw new SQLException("another process reads it, perhaps a backup");
      }
    }

    void close() throws SQLException {
      connection.close();
    }
  }
}
