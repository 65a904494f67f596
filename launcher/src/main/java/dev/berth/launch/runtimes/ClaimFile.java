package dev.berth.launch.runtimes;

import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The lock file of a claim. The kernel releases the lock when the process dies; the content of the
/// file stays, so that the next agent knows whose pods the runtime has. The file is never removed:
/// another process could wait for the lock of a removed file.
final class ClaimFile implements AutoCloseable {
  /// The file is in a directory that other agents use as well.
  private static final int LONGEST = 64 * 1024;

  /// The content of the files that this process has locked. Static on purpose: POSIX releases a
  /// file's locks when any handle of the process is closed, so that a second attempt must be
  /// refused before it opens the file.
  private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

  private final Path file;
  private final FileChannel channel;
  private final String before;

  private ClaimFile(Path file, FileChannel channel, String before) {
    this.file = file;
    this.channel = channel;
    this.before = before;
  }

  /// The result of an attempt to lock a file.
  sealed interface Attempt {
    record Locked(ClaimFile file) implements Attempt {}

    /// Another process has the lock.
    ///
    /// @param text the content that the holder wrote
    record Held(String text) implements Attempt {}
  }

  static Attempt lock(Path file) throws IOException {
    String own = HELD.putIfAbsent(file, "");
    if (own != null) {
      return new Attempt.Held(own);
    }
    boolean isLocked = false;
    try {
      Attempt attempt = tryLock(file);
      isLocked = attempt instanceof Attempt.Locked;
      return attempt;
    } finally {
      if (!isLocked) {
        HELD.remove(file);
      }
    }
  }

  private static Attempt tryLock(Path file) throws IOException {
    PrivateFiles.createFile(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      String text = text(channel);
      if (lock != null) {
        return new Attempt.Locked(new ClaimFile(file, channel, text));
      }
      channel.close();
      return new Attempt.Held(text);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), LONGEST));
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /// The content that the last holder wrote; empty when there was none, or when its pods have
  /// ended.
  String before() {
    return before;
  }

  void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // In this order a shorter text needs no space on a full disk.
    channel.write(ByteBuffer.wrap(bytes), 0);
    channel.truncate(bytes.length);
    HELD.put(file, text);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }
}
