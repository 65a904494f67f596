package dev.berth.server.audit;

import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Names, compresses and removes old audit log files, on a thread of its own. An old file is beside
/// the current one: `audit-2026-01-02T03-04-05.678.log`, upstream's form.
///
/// One thread does the work, so two runs never compress the same file. A compression that was
/// interrupted leaves an unfinished file, which the next run overwrites, and the original.
final class AuditBackups implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AuditBackups.class);
  private static final String COMPRESSED = ".gz";
  private static final String UNFINISHED = ".unfinished";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss.SSS").withZone(ZoneOffset.UTC);

  private record OldFile(Path path, Instant time) {}

  private final Path directory;
  private final String prefix;
  private final String suffix;
  private final AuditConfig.Rotation rotation;
  private final InstantSource clock;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("audit-backups").daemon().factory());

  AuditBackups(Path file, AuditConfig.Rotation rotation, InstantSource clock) {
    this.directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
    String name = Objects.requireNonNull(file.getFileName()).toString();
    int dot = name.lastIndexOf('.');
    this.prefix = (dot < 0 ? name : name.substring(0, dot)) + "-";
    this.suffix = dot < 0 ? "" : name.substring(dot);
    this.rotation = rotation;
    this.clock = clock;
  }

  /// A free name for the file that is being replaced.
  Path next() {
    Instant time = clock.instant();
    while (true) {
      Path path = directory.resolve(prefix + TIME.format(time) + suffix);
      if (!Files.exists(path) && !Files.exists(compressed(path))) {
        return path;
      }
      time = time.plusMillis(1);
    }
  }

  private static Path compressed(Path path) {
    return path.resolveSibling(path.getFileName() + COMPRESSED);
  }

  /// Schedules removal of expired and surplus files and compression of the others.
  void tidy() {
    thread.execute(
        () -> {
          try {
            removeOld();
            if (rotation.compress()) {
              compressAll();
            }
          } catch (IOException e) {
            log.warn(
                "cannot compress or remove old audit logs directory={} reason={}",
                directory,
                e.toString());
          }
        });
  }

  private void removeOld() throws IOException {
    List<OldFile> files = files();
    Instant oldest = clock.instant().minus(rotation.maxAge());
    for (int i = 0; i < files.size(); i++) {
      boolean tooMany = rotation.maxBackups() > 0 && i >= rotation.maxBackups();
      boolean tooOld = !rotation.maxAge().isZero() && files.get(i).time().isBefore(oldest);
      if (tooMany || tooOld) {
        Files.deleteIfExists(files.get(i).path());
      }
    }
  }

  /// The newest first.
  private List<OldFile> files() throws IOException {
    List<OldFile> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(directory)) {
      all.forEach(path -> time(path).ifPresent(time -> files.add(new OldFile(path, time))));
    }
    files.sort(Comparator.comparing(OldFile::time).reversed());
    return files;
  }

  /// Files with other names in the directory belong to others and are never removed.
  private Optional<Instant> time(Path path) {
    String name = String.valueOf(path.getFileName());
    String plain =
        name.endsWith(COMPRESSED) ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    if (!plain.startsWith(prefix)
        || !plain.endsWith(suffix)
        || plain.length() <= prefix.length() + suffix.length()) {
      return Optional.empty();
    }
    String text = plain.substring(prefix.length(), plain.length() - suffix.length());
    try {
      return Optional.of(LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException _) {
      return Optional.empty(); // not a backup of this log
    }
  }

  private void compressAll() throws IOException {
    for (OldFile old : files()) {
      if (!old.path().toString().endsWith(COMPRESSED)) {
        compress(old.path());
      }
    }
  }

  private static void compress(Path path) throws IOException {
    Path target = compressed(path);
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    PrivateFiles.createFile(unfinished);
    try (InputStream in = Files.newInputStream(path);
        OutputStream out = new GZIPOutputStream(Files.newOutputStream(unfinished))) {
      in.transferTo(out);
    }
    // The original is deleted only after its compressed form is complete under its name.
    Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(path);
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(1, TimeUnit.SECONDS)) {
        log.debug("old audit logs are compressed and removed after the next start");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
