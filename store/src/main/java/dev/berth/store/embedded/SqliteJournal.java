package dev.berth.store.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Live objects in a SQLite file, changed in place: the file grows with the data, not with time.
///
/// After any failure the connection is closed and `recover` opens a new one, so that SQLite reads
/// the file instead of its cache.
final class SqliteJournal implements RowJournal {
  private static final Logger log = LoggerFactory.getLogger(SqliteJournal.class);

  /// Upper bound of the writes of one second, with which the time is converted to a revision.
  private static final long WRITES_A_SECOND = 100_000;

  /// Upper bound of the writes that a lost log or an old backup can miss, if the clock is wrong.
  private static final long LOST_WRITES = 1_000_000;

  /// Minimum length of the write-ahead log in bytes, on a file system with eight times as much free
  /// space.
  private static final long RESERVED_LOG_BYTES = 12L << 20;

  /// Below this free space the log is checkpointed after every write that needs space: the log must
  /// never hold more than the file has space for.
  private static final long SCARCE_BYTES = 256L << 20;

  /// Free bytes kept beyond the known need.
  private static final long SPARE_BYTES = 1L << 20;

  /// A session and the write-ahead log that it writes to.
  private record Opened(SqliteSession session, Object log) {
    static Opened of(SqliteFile file, SqliteSession session) throws IOException {
      return new Opened(session, identity(file.log()));
    }
  }

  private final SqliteFile file;

  /// Device and inode of the file at the start, where the file system has them.
  private final Object identity;

  private final AcknowledgedRevision acknowledged;
  private final long start;
  private @Nullable Opened opened;
  private long revision;

  /// Approximate bytes in the write-ahead log that are not checkpointed yet.
  private long pendingBytes;

  /// How long the write-ahead log may contain values that were replaced or deleted.
  private final Duration eraseInterval;

  private long erasedAt = System.nanoTime();

  /// Whether values were replaced or deleted since then.
  private boolean hasOldValues;

  /// Whether this session has extended its log; a new session may have a new log.
  private boolean reserved;

  private boolean scarce;

  private SqliteJournal(
      SqliteFile file, Object identity, Opened opened, long start, Duration eraseInterval) {
    this.eraseInterval = eraseInterval;
    this.file = file;
    this.start = start;
    this.revision = start;
    this.identity = identity;
    this.acknowledged = new AcknowledgedRevision(file.acknowledged());
    this.opened = opened;
  }

  /// Opens a file that was just loaded, or creates a new one.
  ///
  /// @param eraseInterval how long values that were replaced or deleted may be found in files
  static SqliteJournal open(Path path, long revision, InstantSource clock, Duration eraseInterval) {
    SqliteFile file = new SqliteFile(path);
    SqliteSession session = null;
    try {
      file.deleteUnfinished();
      boolean isNew = !file.exists();
      if (isNew) {
        file.create(SqliteSchema.CREATE);
      }
      file.syncLog();
      session = new SqliteSession(file.openForWriting());
      long stored = session.revision();
      // The loader read the file with another connection; nobody may write in between.
      if (stored != revision) {
        throw file.damaged(
            "it was changed while it was opened (revision %d, then %d)"
                .formatted(revision, stored));
      }
      // A backup holds the database without the record of its newest revision.
      if (!isNew && !Files.exists(file.acknowledged())) {
        stored = beyond(stored, clock);
        session.append(List.of(), stored);
      }
      SqliteJournal journal =
          new SqliteJournal(file, identity(path), Opened.of(file, session), stored, eraseInterval);
      journal.acknowledged.note(stored);
      journal.reserveAtStart();
      return journal;
    } catch (SQLException | IOException e) {
      closeQuietly(session);
      throw file.failed(e);
    } catch (RuntimeException e) {
      closeQuietly(session);
      throw e;
    }
  }

  /// The revision at which a restored copy, or a journal with lost writes, continues. Clients may
  /// know later revisions and would not notice if other changes reused them. The time distinguishes
  /// two restores of the same copy.
  private static long beyond(long revision, InstantSource clock) {
    return Math.max(revision + LOST_WRITES, clock.instant().getEpochSecond() * WRITES_A_SECOND);
  }

  /// The revision at which the journal was opened.
  long start() {
    return start;
  }

  /// Identifies the file, so that a replaced file is noticed.
  private static Object identity(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path : key;
  }

  @Override
  public void checkRoom(long bytes) {
    File directory = Objects.requireNonNull(file.path().toAbsolutePath().getParent()).toFile();
    // A value needs its bytes twice: in the log, and in the file when the log is checkpointed.
    long needed = Math.min(pendingBytes, SqliteSession.LOG_BYTES) + 2 * bytes + SPARE_BYTES;
    long free = directory.getUsableSpace();
    scarce = free < SCARCE_BYTES;
    // Some file systems report no size.
    if (free < needed && directory.getTotalSpace() > 0) {
      throw file.full(
          "its file system has %d KiB left and %d KiB are needed"
              .formatted(free >> 10, needed >> 10),
          null);
    }
  }

  @Override
  public void append(List<JournalRow> rows, long newRevision) {
    try {
      checkIdentity();
      checkLog();
      store(rows, newRevision);
      revision = newRevision;
      for (JournalRow row : rows) {
        byte[] value = row.value();
        // Each row changes at least one page, and the log takes whole pages.
        pendingBytes += 4096 + (value == null ? 0 : value.length);
        hasOldValues |= value == null || row.createRevision() != row.revision();
      }
      if (scarce) {
        emptyLog();
      }
      // Only after the sync of the commit: the record must never be ahead of the journal.
      acknowledged.note(newRevision);
    } catch (JournalFullException e) {
      throw e;
    } catch (SQLException | IOException e) {
      giveUp();
      throw file.failed(e);
    } catch (RuntimeException e) {
      giveUp();
      throw e;
    }
  }

  /// When the log has no space, it is checkpointed and starts from its beginning.
  private void store(List<JournalRow> rows, long newRevision) throws SQLException {
    try {
      session().append(rows, newRevision);
    } catch (SQLException e) {
      requireNothingStored(e);
      try {
        session().restartLog();
        session().append(rows, newRevision);
      } catch (SQLException again) {
        requireNothingStored(again);
        throw file.full(String.valueOf(again.getMessage()), again);
      }
    }
  }

  private void emptyLog() throws SQLException {
    try {
      session().restartLog();
      pendingBytes = 0;
    } catch (SQLException e) {
      // The write itself is stored.
      if (!SqliteFile.isFull(e)) {
        throw e;
      }
    }
  }

  /// Continues only after a failure that was caused by a full disk and changed nothing.
  private void requireNothingStored(SQLException failure) throws SQLException {
    if (!SqliteFile.isFull(failure)) {
      throw failure;
    }
    session().rollBack();
    if (session().revision() != revision) {
      throw failure;
    }
  }

  /// A write to a removed or replaced file would succeed and be lost.
  private void checkIdentity() throws IOException {
    try {
      if (!identity(file.path()).equals(identity)) {
        throw file.gone("another file replaced it while this server was running");
      }
    } catch (NoSuchFileException _) {
      throw file.gone("it was removed while this server was running");
    }
  }

  /// The same holds for a removed log until the session ends, which checkpoints it.
  private void checkLog() throws IOException {
    Opened open = opened;
    try {
      if (open != null && !identity(file.log()).equals(open.log())) {
        throw file.logGone("another file replaced its write-ahead log");
      }
    } catch (NoSuchFileException _) {
      throw file.logGone("its write-ahead log was removed");
    }
  }

  @Override
  public long recover() {
    giveUp();
    reserved = false;
    SqliteSession fresh = null;
    try {
      checkIdentity();
      fresh = new SqliteSession(file.openForWriting());
      long stored = fresh.revision();
      revision = stored;
      opened = Opened.of(file, fresh);
      // Both must succeed before the store reports that it accepts writes. The checkpoint also
      // makes frames of the write-ahead log durable whose sync may have failed.
      fresh.checkpoint();
      fresh.append(List.of(), stored);
      acknowledged.note(stored);
      return stored;
    } catch (SQLException | IOException e) {
      closeQuietly(fresh);
      opened = null;
      throw file.failed(e);
    } catch (RuntimeException e) {
      closeQuietly(fresh);
      opened = null;
      throw e;
    }
  }

  @Override
  public boolean tidy() {
    try {
      acknowledged.sync();
      boolean more = session().tidy();
      pendingBytes = 0;
      reserve();
      eraseOldValues();
      return more;
    } catch (SQLException | IOException e) {
      // A full disk ends no session: the next deletion needs it.
      if (e instanceof SQLException lack && SqliteFile.isFull(lack)) {
        throw file.full(String.valueOf(e.getMessage()), e);
      }
      giveUp();
      throw file.failed(e);
    }
  }

  /// If the disk fails here, the first write fails as well, and recovers.
  private void reserveAtStart() {
    try {
      reserve();
    } catch (SQLException e) {
      log.warn("no space is reserved for deletions on a full disk reason=\"{}\"", e.getMessage());
    }
  }

  /// Reserves space for deletions on a full disk: a write needs space in the log only.
  private void reserve() throws SQLException {
    if (reserved) {
      return;
    }
    reserved = true;
    long bytes = Math.min(RESERVED_LOG_BYTES, file.path().toFile().getUsableSpace() / 8);
    try {
      session().reserveLog(bytes);
    } catch (SQLException e) {
      requireNothingStored(e);
      log.warn("no space is reserved for deletions on a full disk reason=\"{}\"", e.getMessage());
    }
  }

  /// A checkpoint does not erase the log: it still contains the plain text of a Secret that was
  /// encrypted or deleted later.
  private void eraseOldValues() throws SQLException, IOException {
    long now = System.nanoTime();
    if (!hasOldValues || now - erasedAt < eraseInterval.toNanos()) {
      return;
    }
    try {
      if (session().eraseLog(Files.size(file.log()))) {
        erasedAt = now;
        hasOldValues = false;
      }
    } catch (SQLException e) {
      // On a full disk a later attempt may succeed.
      requireNothingStored(e);
      log.debug("old values stay in the write-ahead log reason=\"{}\"", e.getMessage());
    }
  }

  private SqliteSession session() throws SQLException {
    Opened open = opened;
    if (open == null) {
      throw new SQLException("it is not open");
    }
    return open.session();
  }

  private void giveUp() {
    Opened open = opened;
    closeQuietly(open == null ? null : open.session());
    opened = null;
  }

  @Override
  public void close() {
    giveUp();
    acknowledged.close();
  }

  private static void closeQuietly(@Nullable SqliteSession session) {
    if (session != null) {
      try {
        session.close();
      } catch (SQLException e) {
        log.debug("closing the journal failed", e);
      }
    }
  }
}
