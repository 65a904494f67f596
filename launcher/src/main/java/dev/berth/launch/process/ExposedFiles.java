package dev.berth.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files with keys, tokens or objects that other users of this machine can read.
///
/// Berth creates its own files private; exposed files were copied or changed by an administrator.
public final class ExposedFiles {
  private static final Logger log = LoggerFactory.getLogger(ExposedFiles.class);

  private static final List<String> SECRET_ENDS = List.of(".pem", ".key", ".kubeconfig");

  private ExposedFiles() {}

  /// Warns of all of them at once, with the command that closes them.
  public static void warn(List<Path> files) {
    List<Path> exposed = find(files);
    if (!exposed.isEmpty()) {
      log.warn(
          "other users of this machine can read files with keys, tokens or objects"
              + " remedy=\"chmod go-rwx {}\"",
          String.join(" ", exposed.stream().map(ExposedFiles::quoted).toList()));
    }
  }

  private static String quoted(Path file) {
    String text = file.toString();
    return text.matches("[\\w./:@%+=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /// Finds the files that others can read, among these files and the secret files in these
  /// directories.
  static List<Path> find(List<Path> files) {
    Set<Path> exposed = new TreeSet<>();
    for (Path each : files) {
      for (Path file : Files.isDirectory(each) ? filesIn(each) : List.of(each)) {
        if (isExposed(file)) {
          exposed.add(file);
        }
      }
    }
    return List.copyOf(exposed);
  }

  private static List<Path> filesIn(Path directory) {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(Files::isRegularFile).filter(ExposedFiles::isSecret).toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  /// Whether a file of a data directory holds keys or objects; certificates alone and libraries are
  /// no secret.
  private static boolean isSecret(Path file) {
    String name = String.valueOf(file.getFileName());
    return SECRET_ENDS.stream().anyMatch(name::endsWith) || name.startsWith("objects.db");
  }

  /// Whether the file can be read, and every directory above it passed, by the group or by others.
  private static boolean isExposed(Path file) {
    return isOpen(file, PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_EXECUTE)
        || isOpen(file, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE);
  }

  private static boolean isOpen(Path file, PosixFilePermission read, PosixFilePermission pass) {
    try {
      Path real = file.toRealPath();
      if (!Files.getPosixFilePermissions(real).contains(read)) {
        return false;
      }
      for (Path at = real.getParent(); at != null; at = at.getParent()) {
        if (!mayPass(at, pass)) {
          return false;
        }
      }
      return true;
    } catch (IOException | UnsupportedOperationException _) {
      // It is not there, or permissions are another matter on this system.
      return false;
    }
  }

  /// The group of a directory may be another one than that of the file: a directory that others may
  /// pass is open to every group.
  private static boolean mayPass(Path directory, PosixFilePermission pass) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
    return permissions.contains(pass) || permissions.contains(PosixFilePermission.OTHERS_EXECUTE);
  }
}
