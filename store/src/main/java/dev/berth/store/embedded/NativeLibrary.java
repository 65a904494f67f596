package dev.berth.store.embedded;

import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/// Keeps SQLite's native library in the data directory.
///
/// The driver would unpack it to the temporary directory on every start, which costs a good part of
/// the start-up time, leaves files behind when the process is killed, and fails where that
/// directory is mounted noexec.
final class NativeLibrary {
  private static final Logger log = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String PATH_PROPERTY = "org.sqlite.lib.path";

  private NativeLibrary() {}

  /// Has an effect only before the first connection of the process. On failure the driver unpacks
  /// the library itself.
  @SuppressWarnings("restricted") // The driver does no more.
  static void prepare(Path directory) {
    if (System.getProperty(PATH_PROPERTY) != null) {
      return;
    }
    try {
      Path home = directory.resolve("sqlite-" + SQLiteJDBCLoader.getVersion()).toAbsolutePath();
      // On a data directory mounted noexec, the driver would print a stack trace.
      System.load(unpack(home).toString());
      System.setProperty(PATH_PROPERTY, home.toString());
    } catch (IOException | UnsatisfiedLinkError e) {
      log.info("SQLite's library is not kept in the data directory reason=\"{}\"", e.toString());
    }
  }

  private static Path unpack(Path home) throws IOException {
    // Another version of the driver has another directory, so that an upgrade never loads an old
    // library.
    String name = LibraryLoaderUtil.getNativeLibName();
    Path library = home.resolve(name);
    // The file gets its name only when it is complete. Its size in the jar is not compared: to find
    // the entry the driver starts a process (`uname`).
    if (Files.exists(library)) {
      return library;
    }
    URL packed =
        SQLiteJDBCLoader.class.getResource(
            LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name);
    if (packed == null) {
      throw new IOException("the driver has none for this system");
    }
    PrivateFiles.createDirectory(home);
    Path temporary = home.resolve(name + ".new");
    try (InputStream content = packed.openStream()) {
      Files.copy(content, temporary, StandardCopyOption.REPLACE_EXISTING);
    }
    try (FileChannel written = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      written.force(true);
    }
    return Files.move(temporary, library, StandardCopyOption.ATOMIC_MOVE);
  }
}
