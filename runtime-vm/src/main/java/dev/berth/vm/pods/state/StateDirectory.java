package dev.berth.vm.pods.state;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The state files of sandboxes and containers. A file is replaced as a whole by a rename, so that
/// whoever kills this process leaves the old or the new one.
///
/// Nothing is flushed to the disk: a crash of the host ends all machines, too, and what is left of
/// the files then only serves to remove what they name.
public final class StateDirectory {
  private static final Logger log = LoggerFactory.getLogger(StateDirectory.class);
  private static final String SANDBOXES = "sandboxes";
  private static final String CONTAINERS = "containers";
  private static final String SUFFIX = ".json";
  private static final String POSITION = ".position";
  private static final String UNFINISHED = ".new";

  private final Path root;

  private StateDirectory(Path root) {
    this.root = root;
  }

  /// Opens the directory, and makes it when it is missing. Only its owner may enter it, because
  /// configurations of containers have secrets in their environment.
  public static StateDirectory open(Path root) throws IOException {
    var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(root, mine);
    Files.createDirectories(root.resolve(SANDBOXES), mine);
    Files.createDirectories(root.resolve(CONTAINERS), mine);
    return new StateDirectory(root);
  }

  public void write(SandboxRecord sandbox) {
    try {
      write(sandboxFile(sandbox.id()), RecordFormat.bytes(sandbox));
    } catch (IOException e) {
      throw unwritable("sandbox " + sandbox.id(), e);
    }
  }

  public void write(ContainerRecord container) {
    try {
      write(containerFile(container.id()), RecordFormat.bytes(container));
    } catch (IOException e) {
      throw unwritable("container " + container.id(), e);
    }
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + UNFINISHED);
    Files.write(whole, bytes);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  public void removeSandbox(String id) {
    remove(sandboxFile(id));
  }

  public void removeContainer(String id) {
    remove(positionFile(id));
    remove(containerFile(id));
  }

  /// Where the position of a container's output is kept.
  public Path positionFile(String container) {
    return root.resolve(CONTAINERS).resolve(container + POSITION);
  }

  /// All sandboxes. A file that cannot be read is left out and removed: what it named is found and
  /// removed like anything that has no file.
  public List<SandboxRecord> sandboxes() throws IOException {
    return read(SANDBOXES, RecordFormat::sandbox);
  }

  public List<ContainerRecord> containers() throws IOException {
    return read(CONTAINERS, RecordFormat::container);
  }

  private interface RecordReader<T> {
    T read(byte[] bytes) throws IOException;
  }

  private <T> List<T> read(String directory, RecordReader<T> reader) throws IOException {
    List<Path> files;
    try (Stream<Path> list = Files.list(root.resolve(directory))) {
      files = list.sorted().toList();
    }
    List<T> records = new ArrayList<>();
    for (Path file : files) {
      String name = String.valueOf(file.getFileName());
      if (name.endsWith(UNFINISHED)) {
        remove(file);
      } else if (name.endsWith(SUFFIX)) {
        try {
          records.add(reader.read(Files.readAllBytes(file)));
        } catch (IOException | IllegalArgumentException e) {
          log.warn("state file cannot be read path={} reason={}", file, e.toString());
          remove(file);
        }
      }
    }
    return records;
  }

  private Path sandboxFile(String id) {
    return root.resolve(SANDBOXES).resolve(id + SUFFIX);
  }

  private Path containerFile(String id) {
    return root.resolve(CONTAINERS).resolve(id + SUFFIX);
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StateException unwritable(String subject, IOException cause) {
    return new StateException(
        new Problem(
            "the state of %s cannot be written".formatted(subject),
            cause.toString(),
            "Make room on the file system of the VM runtime's state directory"),
        cause);
  }
}
