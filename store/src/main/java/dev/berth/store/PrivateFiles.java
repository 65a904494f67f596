package dev.berth.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes folders and files that only their owner can read.
public final class PrivateFiles {
  private static final Logger log = LoggerFactory.getLogger(PrivateFiles.class);
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /// Makes the folder when missing; one that exists keeps its permissions.
  public static void createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(folder, attributes(folder, FOLDER));
      syncFolder(folder.toAbsolutePath().getParent());
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }

  /// Makes the folder when missing, and in any case private: for one below a data folder that
  /// somebody else may have made for all to see.
  public static void createPrivateFolder(Path folder) throws IOException {
    createFolder(folder);
    makePrivate(folder, FOLDER);
  }

  /// Makes the file when missing, and in any case private.
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, attributes(file, FILE));
    } catch (FileAlreadyExistsException _) {
      makePrivate(file, FILE);
    }
  }

  private static void makePrivate(Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view != null && !view.readAttributes().permissions().equals(permissions)) {
      view.setPermissions(permissions);
    }
  }

  /// What was made in a folder survives a power cut once the folder is synced; not every system can
  /// do that.
  public static void syncFolder(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      log.debug("folder not synced path={}", folder, e);
    }
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }
}
