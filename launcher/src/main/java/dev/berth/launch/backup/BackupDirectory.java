package dev.berth.launch.backup;

import dev.berth.api.PrivateFiles;
import dev.berth.api.Problem;
import dev.berth.launch.process.LaunchException;
import dev.berth.store.DataDirLock;
import dev.berth.store.FileErrors;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.embedded.StoreBackup;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// A directory with a backup of a data directory: objects, keys, and registered runtime services. A
/// backup is itself a valid data directory.
public record BackupDirectory(Path path) {
  static final String UNFINISHED = ".unfinished";

  /// The parts of a data directory that nobody can make again: authorities and keys, and
  /// registrations. Logs, volumes and containers of a node are not part of a backup.
  private static final List<String> BESIDES_OBJECTS = List.of("pki", "agent/runtimes.d");

  /// Creates the backup, completely or not at all; a server may use the data directory meanwhile.
  ///
  /// @return a summary of the backup for the user
  public String fill(Path dataDir) {
    return fill(dataDir, Clock.systemUTC());
  }

  String fill(Path dataDir, InstantSource clock) {
    Path unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
    try {
      requireSource(dataDir);
      requireFree(path);
      delete(unfinished);
      PrivateFiles.createDirectory(unfinished);
      // Objects before keys: a key that is replaced in between is newer than the objects, and old
      // certificates are still accepted.
      StoreBackup made = StoreBackup.make(dataDir, unfinished);
      for (String name : BESIDES_OBJECTS) {
        copy(dataDir, unfinished, name);
      }
      new BackupRecord(
              clock.instant().truncatedTo(ChronoUnit.SECONDS),
              made.revision(),
              made.objects(),
              dataDir.toString())
          .write(unfinished);
      Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.syncDirectory(path.getParent());
      return "%d objects at revision %d and the keys of %s are in %s"
          .formatted(made.objects(), made.revision(), dataDir, path);
    } catch (StoreUnavailableException e) {
      throw new LaunchException(new Problem(e.what(), e.why(), e.whatToDo()), e);
    } catch (IOException e) {
      FileErrors failure = FileErrors.of(e, Objects.requireNonNullElse(path.getParent(), path));
      throw new LaunchException(
          new Problem("no backup was made in " + path, failure.why(), failure.whatToDo()), e);
    } finally {
      // After a success the directory has another name, and this does nothing.
      deleteQuietly(unfinished);
    }
  }

  /// Creates a data directory from the backup, completely or not at all.
  ///
  /// @param dataDir must be empty or not exist
  /// @return a summary of the data directory for the user
  public String restore(Path dataDir) {
    Path unfinished = dataDir.resolveSibling(dataDir.getFileName() + UNFINISHED);
    String what = "%s was not restored to %s".formatted(path, dataDir);
    try {
      BackupContents saved = BackupContents.read(path);
      requireEmpty(dataDir, what);
      delete(unfinished);
      PrivateFiles.createDirectory(unfinished);
      StoreBackup.copy(path, unfinished);
      for (String name : BESIDES_OBJECTS) {
        copy(path, unfinished, name);
      }
      // Reads the copy once more: a restore that cannot be read must not get its name.
      int objects = BackupContents.read(unfinished).items().size();
      Files.deleteIfExists(dataDir);
      Files.move(unfinished, dataDir, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.syncDirectory(dataDir.getParent());
      return "%d objects at revision %d and the keys of %s are in %s"
          .formatted(objects, saved.revision(), path, dataDir);
    } catch (StoreUnavailableException e) {
      throw new LaunchException(new Problem(e.what(), e.why(), e.whatToDo()), e);
    } catch (IOException e) {
      FileErrors failure =
          FileErrors.of(e, Objects.requireNonNullElse(dataDir.getParent(), dataDir));
      throw new LaunchException(new Problem(what, failure.why(), failure.whatToDo()), e);
    } finally {
      deleteQuietly(unfinished);
    }
  }

  /// Refuses to restore into a directory that is in use or has anything in it.
  private static void requireEmpty(Path dataDir, String what) throws IOException {
    if (!Files.exists(dataDir)) {
      return;
    }
    try (Stream<Path> children = Files.list(dataDir)) {
      if (children.findAny().isEmpty()) {
        return;
      }
    }
    String user =
        DataDirLock.holderOf(dataDir)
            .map(holder -> "process %s uses it".formatted(holder))
            .orElse("it is not empty");
    throw new LaunchException(
        new Problem(
            what,
            user,
            "Name a directory that is empty or does not exist with --data-dir; or stop the server and"
                + " move %s away".formatted(dataDir)));
  }

  /// Refuses a directory without objects, and one whose contents this user cannot see.
  private void requireSource(Path dataDir) throws IOException {
    if (Files.isDirectory(dataDir) && !Files.isExecutable(dataDir)) {
      // Without search permission it is unknown whether the directory contains objects.
      FileErrors failure = FileErrors.of(new AccessDeniedException(dataDir.toString()), dataDir);
      throw new LaunchException(
          new Problem("no backup was made in " + path, failure.why(), failure.whatToDo()));
    }
    if (!StoreBackup.isPossible(dataDir)) {
      throw new LaunchException(
          new Problem(
              "no backup was made in " + path,
              "data directory %s has no objects".formatted(dataDir),
              "Name the data directory of the server with --data-dir; back up objects in etcd with `etcdctl snapshot save`"));
    }
  }

  private static void requireFree(Path path) {
    if (Files.exists(path)) {
      throw new LaunchException(
          new Problem(
              "no backup was made in " + path,
              "it exists already",
              "Name a directory that does not exist yet"));
    }
  }

  private static void copy(Path dataDir, Path target, String name) throws IOException {
    Path source = dataDir.resolve(name);
    if (!Files.isDirectory(source)) {
      return;
    }
    PrivateFiles.createPrivateDirectory(Objects.requireNonNull(target.resolve(name).getParent()));
    try (Stream<Path> all = Files.walk(source)) {
      for (Path each : all.toList()) {
        Path copy = target.resolve(dataDir.relativize(each));
        if (Files.isDirectory(each)) {
          PrivateFiles.createDirectory(copy);
        } else if (Files.isRegularFile(each)) {
          PrivateFiles.createFile(copy);
          Files.write(copy, Files.readAllBytes(each));
        }
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.toList().reversed()) {
        Files.delete(each);
      }
    }
  }

  private static void deleteQuietly(Path directory) {
    try {
      delete(directory);
    } catch (IOException _) {
      // The next backup removes it.
    }
  }
}
