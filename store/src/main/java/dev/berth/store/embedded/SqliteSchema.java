package dev.berth.store.embedded;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/// The journal's tables.
///
/// An object's row number is the revision of its creation: rows are found without an index, and new
/// rows go to the end of the file. The committer ensures that keys are unique; the loader checks
/// it.
final class SqliteSchema {
  /// "Brth", so that `file` and other tools recognize the format.
  static final int APPLICATION_ID = 0x42727468;

  static final int VERSION = 1;

  private static final String CREATE_META =
      "CREATE TABLE meta (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL)";
  private static final String CREATE_OBJECTS =
      "CREATE TABLE objects (create_revision INTEGER PRIMARY KEY, key TEXT NOT NULL,"
          + " revision INTEGER NOT NULL, checksum INTEGER NOT NULL, value BLOB NOT NULL)";
  private static final String FIRST_REVISION = "INSERT INTO meta (id, revision) VALUES (1, 1)";

  /// Sessions switch the write-ahead log on. Without it, a successful commit has written the file
  /// itself.
  static final List<String> CREATE =
      List.of(
          "PRAGMA auto_vacuum = INCREMENTAL",
          "PRAGMA journal_mode = DELETE",
          "PRAGMA synchronous = FULL",
          "BEGIN IMMEDIATE",
          "PRAGMA application_id = " + APPLICATION_ID,
          "PRAGMA user_version = " + VERSION,
          CREATE_META,
          CREATE_OBJECTS,
          FIRST_REVISION,
          "COMMIT");

  static final String INSERT =
      "INSERT INTO objects (revision, checksum, value, create_revision, key) VALUES (?, ?, ?, ?, ?)";
  static final String UPDATE =
      "UPDATE objects SET revision = ?, checksum = ?, value = ? WHERE create_revision = ?";
  static final String DELETE = "DELETE FROM objects WHERE create_revision = ?";
  static final String SET_REVISION = "UPDATE meta SET revision = ? WHERE id = 1";
  static final String REVISION = "SELECT revision FROM meta WHERE id = 1";
  static final String ALL =
      "SELECT create_revision, key, revision, checksum, value FROM objects ORDER BY create_revision";

  private SqliteSchema() {}

  /// SQLite finds damaged pages by their structure only; this finds changed bytes.
  static long checksum(String key, long createRevision, long revision, byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update((key + '@' + createRevision + '@' + revision).getBytes(StandardCharsets.UTF_8));
    crc.update(value);
    return crc.getValue();
  }
}
