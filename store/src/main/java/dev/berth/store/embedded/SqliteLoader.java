package dev.berth.store.embedded;

import dev.berth.store.StoreEntry;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoredDecoder;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.JournalContents;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Reads a whole journal: one thread reads the file, the others decode.
final class SqliteLoader<V> {
  /// Maximum rows and bytes of a chunk.
  private static final int CHUNK_ROWS = 256;

  private static final int CHUNK_BYTES = 1 << 20;

  /// Maximum number of chunks that wait to be decoded. Chunks that wait long are promoted to the
  /// old generation and would grow the heap with garbage, while the objects themselves may need
  /// half of it.
  private static final int WAITING = 4;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stored(
      String key, long createRevision, long revision, long checksum, byte[] value) {}

  private final SqliteFile file;
  private final StoredDecoder<V> decoder;
  private final Semaphore room = new Semaphore(WAITING);

  private SqliteLoader(SqliteFile file, StoredDecoder<V> decoder) {
    this.file = file;
    this.decoder = decoder;
  }

  /// The contents of the file; empty at revision 1 when there is no file.
  ///
  /// @throws StoreUnavailableException when it is damaged or cannot be read; it is left as it is
  static <V> JournalContents<V> load(Path path, StoredDecoder<V> decoder) {
    SqliteFile file = new SqliteFile(path);
    try {
      if (!file.exists()) {
        file.requireFresh();
        return new JournalContents<>(1, List.of());
      }
      if (file.isEmpty()) {
        throw file.damaged("it is empty, but a journal never is");
      }
      if (!file.isSqlite()) {
        throw file.damaged("it does not have the header of a SQLite file");
      }
      file.checkLog();
      try (Connection connection = file.openForReading()) {
        return new SqliteLoader<>(file, decoder).load(connection);
      }
    } catch (SQLException e) {
      throw SqliteFile.isDamage(e) ? file.damaged(diagnosis(file, e), e) : file.failed(e);
    } catch (IOException e) {
      throw file.failed(e);
    }
  }

  private static String diagnosis(SqliteFile file, SQLException e) {
    try (Connection connection = file.openForReading()) {
      return e.getMessage()
          + "; integrity_check: "
          + String.join("; ", SqliteFile.readAll(connection, "PRAGMA integrity_check(3)"));
    } catch (SQLException _) {
      return String.valueOf(e.getMessage());
    }
  }

  private JournalContents<V> load(Connection connection) throws SQLException, IOException {
    long application = SqliteFile.number(connection, "PRAGMA application_id");
    long version = SqliteFile.number(connection, "PRAGMA user_version");
    if (application != SqliteSchema.APPLICATION_ID || version != SqliteSchema.VERSION) {
      throw file.damaged(
          "it is not a journal of this version of Berth (application %x, version %d, expected %x, %d)"
              .formatted(application, version, SqliteSchema.APPLICATION_ID, SqliteSchema.VERSION));
    }
    long revision = SqliteFile.number(connection, SqliteSchema.REVISION);
    file.requireAcknowledged(revision);
    List<HeldEntry<V>> entries = decodeAll(connection);
    check(entries, revision);
    return new JournalContents<>(revision, entries);
  }

  private void check(List<HeldEntry<V>> entries, long revision) {
    Set<String> keys = HashSet.newHashSet(entries.size());
    for (HeldEntry<V> held : entries) {
      if (!keys.add(held.entry().key())) {
        throw file.damaged("it contains %s twice".formatted(held.entry().key()));
      }
      if (held.entry().revision() > revision) {
        throw file.damaged(
            "%s has revision %d, but the newest recorded revision is %d"
                .formatted(held.entry().key(), held.entry().revision(), revision));
      }
    }
  }

  private List<HeldEntry<V>> decodeAll(Connection connection) throws SQLException {
    List<HeldEntry<V>> entries = new ArrayList<>();
    try (ExecutorService decoders = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<HeldEntry<V>>> chunk : read(connection, decoders)) {
        entries.addAll(chunk.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading " + file.path(), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreUnavailableException damaged) {
        throw damaged;
      }
      throw new IllegalStateException(e.getCause());
    }
    return entries;
  }

  private List<Future<List<HeldEntry<V>>>> read(Connection connection, ExecutorService decoders)
      throws SQLException, InterruptedException {
    List<Future<List<HeldEntry<V>>>> chunks = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SqliteSchema.ALL)) {
      List<Stored> chunk = new ArrayList<>(CHUNK_ROWS);
      long bytes = 0;
      while (rows.next()) {
        Stored row = stored(rows);
        chunk.add(row);
        bytes += row.value().length;
        if (chunk.size() == CHUNK_ROWS || bytes >= CHUNK_BYTES) {
          chunks.add(submit(chunk, decoders));
          chunk = new ArrayList<>(CHUNK_ROWS);
          bytes = 0;
        }
      }
      chunks.add(submit(chunk, decoders));
    }
    return chunks;
  }

  private Stored stored(ResultSet rows) throws SQLException {
    String key = rows.getString(2);
    byte[] value = rows.getBytes(5);
    if (key == null || value == null) {
      // SQLite returns null for a long row whose last pages are missing or overwritten.
      throw file.damaged(
          "the object of revision %d has lost its content".formatted(rows.getLong(1)));
    }
    return new Stored(key, rows.getLong(1), rows.getLong(3), rows.getLong(4), value);
  }

  private Future<List<HeldEntry<V>>> submit(List<Stored> chunk, ExecutorService decoders)
      throws InterruptedException {
    room.acquire();
    return decoders.submit(
        () -> {
          try {
            return decode(chunk);
          } finally {
            room.release();
          }
        });
  }

  private List<HeldEntry<V>> decode(List<Stored> chunk) {
    return chunk.stream().map(this::decode).toList();
  }

  private HeldEntry<V> decode(Stored row) {
    long checksum =
        SqliteSchema.checksum(row.key(), row.createRevision(), row.revision(), row.value());
    if (checksum != row.checksum()) {
      throw file.damaged("the checksum of %s is wrong".formatted(row.key()));
    }
    try {
      V value = decoder.decode(row.key(), row.value()).apply(row.revision());
      return new HeldEntry<>(
          new StoreEntry<>(row.key(), value, row.createRevision(), row.revision()),
          row.value().length);
    } catch (RuntimeException e) {
      throw file.damaged("%s cannot be read: %s".formatted(row.key(), e.getMessage()), e);
    }
  }
}
