package dev.berth.server.audit;

import dev.berth.api.PrivateFiles;
import dev.berth.api.Problem;
import dev.berth.store.FileErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/// An audit log file, readable only by its owner and rotated at its size limit.
///
/// Only the thread of `AuditLog` writes. Writes are not forced to disk: an audit log for every
/// request could not wait for the disk, and the kernel writes the pages also when this process
/// dies.
final class AuditFile implements AuditOutput {
  private final Path file;
  private final AuditConfig.Rotation rotation;
  private final AuditBackups backups;
  private FileChannel channel;
  private long length;

  private AuditFile(
      Path file, AuditConfig.Rotation rotation, AuditBackups backups, FileChannel channel)
      throws IOException {
    this.file = file;
    this.rotation = rotation;
    this.backups = backups;
    this.channel = channel;
    this.length = channel.size();
  }

  /// @throws AuditFileException when it cannot be written
  static AuditFile open(Path file, AuditConfig.Rotation rotation, InstantSource clock) {
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
    try {
      PrivateFiles.createDirectory(directory);
      AuditBackups backups = new AuditBackups(file, rotation, clock);
      AuditFile opened = new AuditFile(file, rotation, backups, channel(file));
      backups.tidy();
      return opened;
    } catch (IOException e) {
      FileErrors fileErrors = FileErrors.of(e, directory);
      throw new AuditFileException(
          new Problem(
              "the audit log %s cannot be written".formatted(file),
              fileErrors.why(),
              fileErrors.whatToDo() + ", or choose another file with --audit-log-path"),
          e);
    }
  }

  private static FileChannel channel(Path file) throws IOException {
    PrivateFiles.createFile(file);
    return FileChannel.open(file, StandardOpenOption.WRITE);
  }

  @Override
  public void write(List<byte[]> events) throws IOException {
    int bytes = 0;
    for (byte[] event : events) {
      bytes += event.length + 1;
    }
    if (length + bytes <= rotation.maxBytes()) {
      append(events, bytes);
      return;
    }
    // The group does not fit: the file is filled up to its limit first, so that a rotated file
    // never exceeds it.
    for (byte[] event : events) {
      if (length > 0 && length + event.length + 1 > rotation.maxBytes()) {
        rotate();
      }
      append(List.of(event), event.length + 1);
    }
  }

  private void append(List<byte[]> events, int bytes) throws IOException {
    ByteBuffer lines = ByteBuffer.allocate(bytes);
    events.forEach(event -> lines.put(event).put((byte) '\n'));
    lines.flip();
    try {
      long at = length;
      while (lines.hasRemaining()) {
        at += channel.write(lines, at);
      }
      length = at;
    } catch (IOException e) {
      // A partial line would corrupt the next one.
      channel.truncate(length);
      throw e;
    }
  }

  private void rotate() throws IOException {
    Path old = backups.next();
    Files.move(file, old);
    channel.close();
    channel = channel(file);
    length = 0;
    backups.tidy();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // Nothing is buffered, so nothing needs to be flushed.
    }
    backups.close();
  }
}
