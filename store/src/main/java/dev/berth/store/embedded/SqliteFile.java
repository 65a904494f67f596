package dev.berth.store.embedded;

import dev.berth.api.PrivateFiles;
import dev.berth.store.FileErrors;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/// Opens the journal's file and translates SQLite's failures.
record SqliteFile(Path path) {
  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /// How long SQLite waits for the lock of another process, usually a backup.
  static final int BUSY_MILLIS = 2_000;

  boolean exists() throws IOException {
    return Files.exists(path);
  }

  boolean isEmpty() throws IOException {
    return Files.size(path) == 0;
  }

  /// Checks the first bytes: SQLite would treat an empty or foreign file as a new database.
  boolean isSqlite() throws IOException {
    ByteBuffer start = ByteBuffer.allocate(MAGIC.length);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.read(start, 0);
    }
    return Arrays.equals(start.array(), MAGIC);
  }

  /// SQLite deletes the log when the last connection closes: a log that exists belongs to a running
  /// server, or to one that was killed.
  boolean hasLog() throws IOException {
    return Files.exists(log()) && Files.size(log()) > 0;
  }

  Path log() {
    return sibling("-wal");
  }

  Path acknowledged() {
    return sibling("-acknowledged");
  }

  /// Checks for damage that SQLite ignores; must be called before SQLite opens the log.
  void checkLog() throws IOException {
    int pageSize = pageSize();
    if (!hasLog() || pageSize < 512) {
      return;
    }
    Optional<WalCheck.Damage> found = WalCheck.find(log(), pageSize);
    if (found.isPresent()) {
      throw damagedLog(found.get());
    }
  }

  /// The last transaction of a killed server may not have been synced, and callers can see it from
  /// now on.
  void syncLog() throws IOException {
    if (hasLog()) {
      try (FileChannel channel = FileChannel.open(log(), StandardOpenOption.WRITE)) {
        channel.force(false);
      }
    }
  }

  private int pageSize() throws IOException {
    ByteBuffer start = ByteBuffer.allocate(18);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.read(start, 0);
    }
    // The two bytes at 16 cannot hold 65536; the format writes 1 instead.
    int size = Short.toUnsignedInt(start.getShort(16));
    return size == 1 ? 65_536 : Integer.highestOneBit(size);
  }

  /// Creates the file with the given statements, atomically: after a failure or a crash there is no
  /// file.
  ///
  /// @param statements must not leave a write-ahead log, because its contents are not in the file
  void create(List<String> statements) throws SQLException, IOException {
    SqliteFile unfinished = unfinished();
    try {
      PrivateFiles.createFile(unfinished.path);
      try (Connection connection = unfinished.openForWriting()) {
        execute(connection, statements.toArray(String[]::new));
      }
      unfinished.requireSound();
      Files.move(unfinished.path, path, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.syncDirectory(directory());
    } finally {
      deleteUnfinished();
    }
  }

  private void requireSound() throws SQLException {
    try (Connection connection = openForReading()) {
      List<String> found = readAll(connection, "PRAGMA integrity_check(3)");
      if (!found.equals(List.of("ok"))) {
        throw new SQLException("the integrity check failed: " + String.join("; ", found));
      }
    }
  }

  private SqliteFile unfinished() {
    return new SqliteFile(sibling(".new"));
  }

  /// Removes the files of a first start that failed or was interrupted.
  void deleteUnfinished() throws IOException {
    for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
      Files.deleteIfExists(unfinished().sibling(suffix));
    }
  }

  private Path sibling(String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /// Never creates a file: a missing journal is a fault, not a first start.
  Connection openForWriting() throws SQLException {
    return connect(SQLiteOpenMode.READWRITE);
  }

  /// Changes neither the file nor its write-ahead log, not even on close.
  Connection openForReading() throws SQLException {
    return connect(SQLiteOpenMode.READONLY);
  }

  private Connection connect(SQLiteOpenMode mode) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    // A new configuration has READWRITE and CREATE set, and `setOpenMode` only adds to them.
    config.resetOpenMode(SQLiteOpenMode.READWRITE);
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setOpenMode(mode);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection("jdbc:sqlite:" + path.toAbsolutePath());
  }

  static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      if (!result.next()) {
        throw new SQLException("no row for " + sql);
      }
      return result.getLong(1);
    }
  }

  static List<String> readAll(Connection connection, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        values.add(String.valueOf(result.getString(1)));
      }
    }
    return values;
  }

  /// Runs a statement that works in steps to its end: `execute` runs only the first step.
  static void executeToEnd(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// SQLITE_CORRUPT (11) and SQLITE_NOTADB (26).
  static boolean isDamage(SQLException e) {
    return e instanceof SQLiteException sqlite && Set.of(11, 26).contains(code(sqlite));
  }

  /// SQLITE_FULL (13).
  static boolean isFull(SQLException e) {
    return e instanceof SQLiteException sqlite && code(sqlite) == 13;
  }

  /// An extended code has the plain one in its lowest byte.
  private static int code(SQLiteException e) {
    return e.getResultCode().code & 0xff;
  }

  /// Translates a failure for the administrator who has to act on it.
  StoreUnavailableException failed(Exception e) {
    if (e instanceof SQLiteException sqlite) {
      String why = String.valueOf(e.getMessage());
      return new StoreUnavailableException(
          new StoreHealth.Degraded(what(), why, whatToDo(sqlite)), e);
    }
    FileErrors fileErrors = FileErrors.of(e, directory());
    return new StoreUnavailableException(
        new StoreHealth.Degraded(what(), fileErrors.why(), fileErrors.whatToDo()), e);
  }

  /// The disk is full; deletions are still possible.
  JournalFullException full(String why, @Nullable Exception cause) {
    return new JournalFullException(
        new StoreHealth.Degraded(
            "journal %s accepts no new objects".formatted(path),
            why,
            FileErrors.freeSpace(directory())
                + ", or delete objects, which is still possible; writes then resume"),
        cause);
  }

  private Path directory() {
    return Objects.requireNonNull(path.toAbsolutePath().getParent());
  }

  private String what() {
    return "journal " + path + " cannot be used";
  }

  private String whatToDo(SQLiteException e) {
    int code = code(e);
    // On a full disk SQLite may also report that it cannot open, read or write its files beside the
    // journal.
    String space = code == 10 || code == 14 ? FileErrors.ifFull(directory()) : null;
    if (space != null) {
      return space + "; writes then resume";
    }
    // 3 PERM, 5 BUSY, 6 LOCKED, 8 READONLY, 10 IOERR, 11 CORRUPT, 13 FULL, 14 CANTOPEN, 26 NOTADB.
    return switch (code) {
      case 13 -> "Free space on the file system of " + directory() + "; writes then resume";
      case 5, 6 -> "End the process that holds a lock on it, perhaps a backup; writes then resume";
      case 3, 8, 14 -> "Give this process permission to read and write it; writes then resume";
      case 10 -> "Check the disk (dmesg, smartctl); writes resume when it answers again";
      case 11, 26 -> damagedRemedy();
      default -> "Check the file and its disk";
    };
  }

  StoreUnavailableException damaged(String why, Exception cause) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded("journal " + path + " is damaged", why, damagedRemedy()), cause);
  }

  StoreUnavailableException damaged(String why) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded("journal " + path + " is damaged", why, damagedRemedy()), null);
  }

  private StoreUnavailableException damagedLog(WalCheck.Damage damage) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "write-ahead log %s is damaged".formatted(log()),
            "%s is bad, but whole transactions come after it".formatted(damage.where()),
            ("Nothing was changed; restore a backup of the directory %s, or give up every write since"
                    + " the damage: truncate -s %d %s; rm -f %s")
                .formatted(directory(), damage.validBytes(), log(), acknowledged())),
        null);
  }

  /// Refuses a journal that lost a revision which was acknowledged as durable.
  ///
  /// @param stored the newest revision that can be read from it
  void requireAcknowledged(long stored) throws IOException {
    OptionalLong acknowledged = AcknowledgedRevision.read(acknowledged());
    if (acknowledged.orElse(stored) > stored) {
      throw behind(
          acknowledged.getAsLong(),
          stored,
          ("Nothing was changed; restore a backup of the directory %s, or go on without those"
                  + " writes: rm %s")
              .formatted(directory(), acknowledged()));
    }
  }

  StoreUnavailableException behind(long acknowledged, long stored, String whatToDo) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "journal %s or its write-ahead log is damaged".formatted(path),
            "writes were acknowledged up to revision %d, and it ends with %d"
                .formatted(acknowledged, stored),
            whatToDo),
        null);
  }

  /// Refuses to create a new journal where one existed.
  void requireFresh() throws IOException {
    if (hasLog()) {
      throw damaged("it is missing, but its write-ahead log is there");
    }
    OptionalLong acknowledged = AcknowledgedRevision.read(acknowledged());
    if (acknowledged.isPresent()) {
      throw damaged(
          "it is missing, but it had writes up to revision %d".formatted(acknowledged.getAsLong()));
    }
  }

  StoreUnavailableException gone(String why) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            what(),
            why,
            "Put the same file back, writes then resume; or restore a backup and restart this server"),
        null);
  }

  StoreUnavailableException logGone(String why) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            what(),
            why + " while this server was running",
            "Do not touch the files beside it; writes resume when it has everything this server wrote"),
        null);
  }

  private String damagedRemedy() {
    return "Nothing was changed; restore a backup of the directory %s, or move %s* away to start empty"
        .formatted(directory(), path);
  }
}
