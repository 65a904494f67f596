package dev.berth.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/// Lines that are kept for the next start: as a whole or not at all, because what a start that was
/// killed left would be taken for all there is.
public record LineRecord(Path file) {
  /// Each once, in their order; none when there is no record.
  public Set<String> read() throws IOException {
    return Files.exists(file)
        ? new LinkedHashSet<>(Files.readAllLines(file))
        : new LinkedHashSet<>();
  }

  /// The directory must be there.
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
