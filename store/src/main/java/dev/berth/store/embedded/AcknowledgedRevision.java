package dev.berth.store.embedded;

import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The newest revision that was acknowledged as durable, in a small file beside the journal.
///
/// SQLite drops a damaged last transaction as if it were unfinished; only this record proves that
/// it was finished. The record is written after the journal was synced, so that it is never ahead
/// of it. The record itself is synced when the store becomes idle: it is exact after a kill, and
/// may be behind after a power cut.
///
/// Used by one thread at a time.
final class AcknowledgedRevision implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AcknowledgedRevision.class);

  private final Path path;
  private @Nullable FileChannel channel;
  private long newest;
  private boolean failing;
  private boolean unsynced;

  AcknowledgedRevision(Path path) {
    this.path = path;
  }

  /// The recorded revision; empty when there is no record or its checksum is wrong.
  static OptionalLong read(Path path) throws IOException {
    if (!Files.exists(path) || Files.size(path) == 0) {
      return OptionalLong.empty();
    }
    String line = Files.readString(path, StandardCharsets.ISO_8859_1);
    int end = line.indexOf(' ');
    try {
      long revision = Long.parseLong(line, 0, Math.max(end, 0), 10);
      if (line.equals(line(revision))) {
        return OptionalLong.of(revision);
      }
    } catch (NumberFormatException _) {
      // As useless as a wrong checksum.
    }
    log.warn(
        "{} is damaged; the server cannot check whether the last write is stored, and creates the file again",
        path);
    return OptionalLong.empty();
  }

  /// Records a revision that the journal has synced. A failure loses this check, not the write.
  ///
  /// The recorded revision never decreases: a journal that falls behind while the server runs has
  /// lost writes, and the next start must detect that.
  void note(long revision) {
    if (revision < newest) {
      return;
    }
    newest = revision;
    try {
      FileChannel open = channel == null ? open() : channel;
      channel = open;
      open.write(ByteBuffer.wrap(line(revision).getBytes(StandardCharsets.US_ASCII)), 0);
      unsynced = true;
      failing = false;
    } catch (IOException e) {
      failed(e);
    }
  }

  /// Syncs the newest record, so that it survives a power cut.
  void sync() {
    FileChannel open = channel;
    if (open == null || !unsynced) {
      return;
    }
    try {
      open.force(false);
      unsynced = false;
    } catch (IOException e) {
      failed(e);
    }
  }

  private FileChannel open() throws IOException {
    PrivateFiles.createFile(path);
    FileChannel opened = FileChannel.open(path, StandardOpenOption.WRITE);
    try {
      // Bytes after the line, such as zeros that a crash left, would invalidate every record.
      return opened.truncate(line(newest).length());
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private void failed(IOException e) {
    if (!failing) {
      log.warn("{} cannot be written, writes go on without it reason={}", path, e.toString());
    }
    failing = true;
    closeChannel();
  }

  private static String line(long revision) {
    CRC32C crc = new CRC32C();
    crc.update(Long.toString(revision).getBytes(StandardCharsets.US_ASCII));
    return "%019d %08x\n".formatted(revision, crc.getValue());
  }

  @Override
  public void close() {
    sync();
    closeChannel();
  }

  private void closeChannel() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        log.debug("closing {} failed", path, e);
      }
    }
  }
}
