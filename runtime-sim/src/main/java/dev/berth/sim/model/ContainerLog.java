package dev.berth.sim.model;

import dev.berth.sim.shell.ProcessOutput;
import dev.berth.sim.time.SimClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log file of a container in CRI's format: each line of output with its time and stream.
///
/// The file is created at once and opened for the first line, so that a container without output
/// costs no file descriptor.
public final class ContainerLog implements ProcessOutput {
  private static final Logger log = LoggerFactory.getLogger(ContainerLog.class);

  /// containerd's `max_container_log_line_size`. A longer line is split into parts with the tag
  /// `P`.
  private static final int LONGEST_LINE = 16 * 1024;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendLiteral('Z')
          .toFormatter(java.util.Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Path path;
  private final SimClock timeline;
  private final ReentrantLock lock = new ReentrantLock();

  /// Bytes of the unfinished line of each stream. The lock guards them and all fields below.
  private final ByteArrayOutputStream pendingOut = new ByteArrayOutputStream();

  private final ByteArrayOutputStream pendingErr = new ByteArrayOutputStream();
  private @Nullable OutputStream file;
  private boolean broken;

  private ContainerLog(Path path, SimClock timeline) {
    this.path = path;
    this.timeline = timeline;
  }

  /// Creates the log file. Its directory must exist: the contract makes the kubelet create it.
  public static ContainerLog create(Path path, SimClock timeline) throws IOException {
    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    return new ContainerLog(path, timeline);
  }

  @Override
  public void write(int stream, byte[] bytes) {
    lock.lock();
    try {
      ByteArrayOutputStream pending = stream == STDERR ? pendingErr : pendingOut;
      for (byte one : bytes) {
        if (one == '\n') {
          line(stream, "F", pending);
        } else {
          pending.write(one);
          if (pending.size() == LONGEST_LINE) {
            line(stream, "P", pending);
          }
        }
      }
    } catch (IOException e) {
      complainOnce(e);
    } finally {
      lock.unlock();
    }
  }

  /// Opens a new file under the same name, after the kubelet has moved the old one away.
  void reopen() throws IOException {
    lock.lock();
    try {
      closeFile();
      file = open();
    } finally {
      lock.unlock();
    }
  }

  /// Writes a last line without a line end.
  public void close() {
    lock.lock();
    try {
      if (pendingOut.size() > 0) {
        // containerd tags an unfinished last line as a part, because its end is missing.
        line(STDOUT, "P", pendingOut);
      }
      if (pendingErr.size() > 0) {
        line(STDERR, "P", pendingErr);
      }
      closeFile();
    } catch (IOException e) {
      complainOnce(e);
    } finally {
      lock.unlock();
    }
  }

  /// Writes a whole line with one call: there is no buffer that a crash could lose.
  private void line(int stream, String tag, ByteArrayOutputStream content) throws IOException {
    Instant now = timeline.now();
    String head =
        "%s %s %s ".formatted(TIME.format(now), stream == STDERR ? "stderr" : "stdout", tag);
    if (file == null) {
      file = open();
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    content.writeTo(whole);
    whole.write('\n');
    content.reset();
    whole.writeTo(file);
  }

  private OutputStream open() throws IOException {
    return Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void closeFile() throws IOException {
    if (file != null) {
      OutputStream closing = file;
      file = null;
      closing.close();
    }
  }

  private void complainOnce(IOException e) {
    if (!broken) {
      broken = true;
      log.warn("container log cannot be written path={} reason={}", path, e.toString());
    }
  }
}
