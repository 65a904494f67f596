package dev.berth.store.embedded;

import dev.berth.api.PrivateFiles;
import dev.berth.store.FileErrors;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.memory.JournalContents;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.OptionalLong;

/// A consistent copy of a directory's objects; a server may keep writing during the copy.
///
/// @param revision of the newest change in it
public record StoreBackup(int objects, long revision) {
  /// Whether a directory has objects that can be copied.
  public static boolean isPossible(Path directory) throws IOException {
    return new SqliteFile(directory.resolve(EmbeddedStore.FILE)).exists();
  }

  /// Puts a copy into a directory that has none, and reads it once.
  ///
  /// @throws StoreUnavailableException when the objects or their copy are damaged or cannot be used
  public static StoreBackup make(Path directory, Path target) {
    NativeLibrary.prepare(directory);
    return copy(directory, target);
  }

  /// Makes a copy like `make` does, and leaves nothing in the directory, not even SQLite's library.
  public static StoreBackup copy(Path directory, Path target) {
    SqliteFile file = new SqliteFile(directory.resolve(EmbeddedStore.FILE));
    SqliteFile copy = new SqliteFile(target.resolve(EmbeddedStore.FILE));
    long revision = copy(file, copy);
    sync(copy);
    JournalContents<Boolean> read = SqliteLoader.load(copy.path(), (_, _) -> _ -> true);
    return new StoreBackup(read.entries().size(), revision);
  }

  private static long copy(SqliteFile file, SqliteFile copy) {
    try {
      // Measured before the copy, because a server may add objects at any time.
      OptionalLong acknowledged = AcknowledgedRevision.read(file.acknowledged());
      try (Connection connection = file.openForReading()) {
        PrivateFiles.createFile(copy.path());
        // VACUUM INTO reads one snapshot, including the write-ahead log, and does not block
        // writers.
        try (PreparedStatement vacuum = connection.prepareStatement("VACUUM INTO ?")) {
          vacuum.setString(1, copy.path().toAbsolutePath().toString());
          vacuum.execute();
        }
      }
      try (Connection connection = copy.openForReading()) {
        long revision = SqliteFile.number(connection, SqliteSchema.REVISION);
        if (acknowledged.orElse(revision) > revision) {
          throw file.behind(
              acknowledged.getAsLong(),
              revision,
              "Start its server, which reports the remedy, or use an older backup");
        }
        return revision;
      }
    } catch (SQLException e) {
      if (SqliteFile.isFull(e)) {
        throw noSpace(file, copy, e);
      }
      throw SqliteFile.isDamage(e)
          ? file.damaged(String.valueOf(e.getMessage()), e)
          : file.failed(e);
    } catch (IOException e) {
      throw file.failed(e);
    }
  }

  /// The failure of a copy without space. The journal is not affected: only the copy needs space.
  private static StoreUnavailableException noSpace(
      SqliteFile file, SqliteFile copy, SQLException e) {
    Path target = Objects.requireNonNull(copy.path().toAbsolutePath().getParent());
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "no copy was made of " + file.path(),
            String.valueOf(e.getMessage()),
            FileErrors.freeSpace(Objects.requireNonNullElse(target.getParent(), target))),
        e);
  }

  private static void sync(SqliteFile copy) {
    try (FileChannel channel = FileChannel.open(copy.path(), StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw copy.failed(e);
    }
  }
}
