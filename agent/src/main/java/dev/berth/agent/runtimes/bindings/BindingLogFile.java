package dev.berth.agent.runtimes.bindings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.api.PrivateFiles;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The file of the binding log. Confined to one thread at a time.
///
/// It uses streams instead of channels: an interrupt of a writer would close a channel for all.
final class BindingLogFile {
  private static final Logger log = LoggerFactory.getLogger(BindingLogFile.class);
  private static final String HEADER = "berth-bindings 1";

  private final Path path;

  /// Null before the first write and after a failed one.
  private @Nullable FileOutputStream stream;

  BindingLogFile(Path path) {
    this.path = path;
  }

  /// Reads the file as far as possible.
  ///
  /// A torn last line was never acknowledged. A bad line before the last one is damage.
  BindingLogContents read() throws IOException {
    var contents = new BindingLogContents();
    if (!Files.exists(path)) {
      return contents;
    }
    List<String> lines = new String(Files.readAllBytes(path), UTF_8).lines().toList();
    boolean damaged = lines.isEmpty() || !lines.getFirst().equals(HEADER);
    for (int i = 1; i < lines.size(); i++) {
      Optional<BindingLogEntry> entry = BindingLogEntry.parse(lines.get(i));
      entry.ifPresent(contents::apply);
      damaged |= entry.isEmpty() && i < lines.size() - 1;
    }
    if (damaged) {
      contents.doubt();
      Path copy = path.resolveSibling(path.getFileName() + ".damaged");
      Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
      log.warn("record of bindings is damaged file={} copy={}", path, copy);
    }
    return contents;
  }

  boolean isOpen() {
    return stream != null;
  }

  void append(List<BindingLogEntry> entries, boolean durable) throws IOException {
    FileOutputStream out = stream;
    if (out == null) {
      throw new IOException("it is not open");
    }
    out.write(bytes(entries));
    if (durable) {
      out.getFD().sync();
    }
  }

  /// Replaces the file durably by one with these entries.
  void writeAnew(List<BindingLogEntry> entries) throws IOException {
    close();
    Path next = path.resolveSibling(path.getFileName() + ".next");
    Files.deleteIfExists(next);
    PrivateFiles.createFile(next);
    FileOutputStream out = new FileOutputStream(next.toFile(), true);
    try {
      out.write((HEADER + "\n").getBytes(UTF_8));
      out.write(bytes(entries));
      out.getFD().sync();
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
      syncDirectory();
    } catch (IOException e) {
      out.close();
      throw e;
    }
    stream = out;
  }

  void close() {
    FileOutputStream out = stream;
    stream = null;
    if (out == null) {
      return;
    }
    try {
      out.close();
    } catch (IOException e) {
      log.warn("record of bindings did not close file={} reason={}", path, e.getMessage());
    }
  }

  /// A rename is durable only when its directory is synced.
  private void syncDirectory() throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null) {
      return;
    }
    // Only a channel can sync a directory. An interrupted writer must still finish its batch,
    // because others wait for it.
    boolean interrupted = Thread.interrupted();
    try {
      sync(directory);
    } catch (ClosedByInterruptException _) {
      interrupted |= Thread.interrupted();
      sync(directory);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static byte[] bytes(List<BindingLogEntry> entries) {
    return entries.stream()
        .map(entry -> entry.line() + "\n")
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }
}
