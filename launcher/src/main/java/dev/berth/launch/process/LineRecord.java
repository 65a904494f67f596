package dev.berth.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/// A file of lines that is kept for the next start. It is replaced as a whole: a start that is
/// killed while it writes must not leave a part that looks complete.
public record LineRecord(Path file) {
  /// Reads the lines, each once and in their order; none when there is no record.
  public Set<String> read() throws IOException {
    return Files.exists(file)
        ? new LinkedHashSet<>(Files.readAllLines(file))
        : new LinkedHashSet<>();
  }

  /// Replaces all lines. The directory must exist. DSYNC makes the content durable before the
  /// rename: otherwise a power cut could leave an empty file under the name.
  public void replace(Collection<String> lines) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.write(
        draft,
        lines,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.DSYNC);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  public void remove() throws IOException {
    Files.deleteIfExists(file);
  }
}
