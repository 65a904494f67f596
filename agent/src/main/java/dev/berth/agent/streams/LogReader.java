package dev.berth.agent.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Writes the requested part of a container's log.
public final class LogReader {
  /// Following reads the file again after a pause that doubles while nothing comes: inotify would
  /// need a watch for each of thousands of followers.
  private static final Duration SHORTEST = Duration.ofMillis(20);

  private static final Duration LONGEST = Duration.ofMillis(250);

  private final LogOptions options;
  private final OutputStream out;
  private long left;
  private boolean continues;

  private LogReader(LogOptions options, OutputStream out) {
    this.options = options;
    this.out = out;
    this.left = options.limit() == null ? Long.MAX_VALUE : options.limit();
  }

  /// Copies the log; with `follow` until its container ends. An interrupt stops it.
  ///
  /// @param running whether the container may still write; asked only while following
  public static void copy(Path log, LogOptions options, BooleanSupplier running, OutputStream out)
      throws IOException, InterruptedException {
    try (LogFile file = new LogFile(log)) {
      if (options.tail() != null) {
        file.seekTail(options.tail());
      }
      LogReader reader = new LogReader(options, out);
      reader.drain(file);
      if (options.follow()) {
        reader.follow(file, running);
      }
      out.flush();
    }
  }

  private void follow(LogFile file, BooleanSupplier running)
      throws IOException, InterruptedException {
    Duration pause = SHORTEST;
    while (left > 0) {
      out.flush();
      // Asked before the last read: everything the container wrote until its end is in the file
      // then.
      boolean mayGrow = pause.compareTo(LONGEST) < 0 || running.getAsBoolean();
      boolean grew = drain(file);
      if (!grew && file.isReplaced()) {
        grew = drainOverRotation(file);
      }
      if (!grew && !mayGrow) {
        return;
      }
      pause = grew ? SHORTEST : longer(pause);
      Thread.sleep(pause);
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
  }

  /// Lines at the end of the old file precede those of the new one.
  private boolean drainOverRotation(LogFile file) throws IOException {
    boolean late = drain(file);
    file.reopen();
    return drain(file) || late;
  }

  /// Writes all complete lines.
  private boolean drain(LogFile file) throws IOException {
    boolean any = false;
    while (left > 0) {
      int length = file.next();
      if (length < 0) {
        break;
      }
      any = true;
      LogLine line = LogLine.parse(file.bytes(), length);
      if (line != null && (options.since() == null || !line.time().isBefore(options.since()))) {
        write(line);
      }
    }
    return any;
  }

  private void write(LogLine line) throws IOException {
    if (options.timestamps() && !continues) {
      write(line.timestamp());
    }
    continues = line.partial();
    write(line.content());
  }

  private void write(byte[] bytes) throws IOException {
    int length = (int) Math.min(left, bytes.length);
    out.write(bytes, 0, length);
    left -= length;
  }
}
