package dev.berth.launch.backup;

import dev.berth.api.Problem;
import dev.berth.launch.process.LaunchException;
import dev.berth.store.embedded.StoreBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A backup as `berth backup list` shows it.
///
/// @param madeAt for a backup of an earlier version, when its objects were last written
/// @param objects how many objects the backup contains
/// @param bytes its size on disk
/// @param from the data directory that was backed up; empty if the backup does not record it
public record BackupListing(
    Path path, Instant madeAt, long revision, int objects, long bytes, String from) {
  /// The backups in a directory, oldest first; or the directory itself, when it is one.
  public static List<BackupListing> in(Path directory) {
    try {
      if (StoreBackup.isPossible(directory)) {
        return List.of(of(directory));
      }
      List<BackupListing> found = new ArrayList<>();
      try (Stream<Path> children = Files.list(directory)) {
        for (Path child : children.toList()) {
          if (Files.isDirectory(child)
              && !child.toString().endsWith(BackupDirectory.UNFINISHED)
              && StoreBackup.isPossible(child)) {
            found.add(of(child));
          }
        }
      }
      found.sort(Comparator.comparing(BackupListing::madeAt));
      return found;
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "backups in %s cannot be listed".formatted(directory),
              e.toString(),
              "Name a directory that contains backups and that this user can read"),
          e);
    }
  }

  /// Describes a backup; one of an earlier version has no record, and its objects are read instead.
  private static BackupListing of(Path path) throws IOException {
    Optional<BackupRecord> known = BackupRecord.read(path);
    long bytes = size(path);
    if (known.isPresent()) {
      BackupRecord made = known.get();
      return new BackupListing(
          path, made.madeAt(), made.revision(), made.objects(), bytes, made.from());
    }
    BackupContents contents = BackupContents.read(path);
    Instant written = Files.getLastModifiedTime(path.resolve("objects.db")).toInstant();
    return new BackupListing(
        path,
        written.truncatedTo(ChronoUnit.SECONDS),
        contents.revision(),
        contents.items().size(),
        bytes,
        "");
  }

  private static long size(Path path) throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(each);
      }
    }
    return bytes;
  }
}
