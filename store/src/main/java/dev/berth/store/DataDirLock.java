package dev.berth.store;

import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ensures that one process at a time uses a data directory. The kernel releases the lock when the
/// process dies.
public final class DataDirLock implements AutoCloseable {
  private static final String FILE = "lock";

  /// Directories locked by this process. Static on purpose: POSIX gives a file's locks up when
  /// *any* of the process's handles of the file is closed, so a second attempt in the same process
  /// must be refused before it opens the file.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;
  private final AtomicBoolean closed = new AtomicBoolean();

  private DataDirLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /// Makes the directory when missing and locks it.
  ///
  /// @throws DataDirLockedException when it is in use
  public static DataDirLock acquire(Path directory) {
    try {
      PrivateFiles.createDirectory(directory);
      Path real = directory.toRealPath();
      if (!HELD.add(real)) {
        throw new DataDirLockedException(
            directory, ProcessCommand.describe(ProcessHandle.current().pid()));
      }
      boolean locked = false;
      try {
        DataDirLock lock = lock(directory, real);
        locked = true;
        return lock;
      } finally {
        if (!locked) {
          HELD.remove(real);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "data directory %s cannot be used: %s".formatted(directory, e), e);
    }
  }

  private static DataDirLock lock(Path directory, Path real) throws IOException {
    Path file = real.resolve(FILE);
    PrivateFiles.createFile(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new DataDirLockedException(directory, holder(file));
      }
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      // In this order the lock needs no space on a full disk.
      channel.write(ByteBuffer.wrap(pid), 0);
      channel.truncate(pid.length);
      return new DataDirLock(real, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// The process that uses a directory; empty when none does. Changes nothing.
  public static Optional<String> holderOf(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try (DataDirLock _ = acquire(directory)) {
      return Optional.empty();
    } catch (DataDirLockedException e) {
      return Optional.of(e.holder());
    }
  }

  private static String holder(Path file) throws IOException {
    String pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
    try {
      return ProcessCommand.describe(Long.parseLong(pid));
    } catch (NumberFormatException _) {
      return "(unknown, it is starting)";
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD.remove(directory);
    }
  }
}
