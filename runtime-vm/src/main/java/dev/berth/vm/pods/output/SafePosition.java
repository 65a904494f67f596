package dev.berth.vm.pods.output;

import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// How much of a container's output is in its log, on disk: the bytes of both streams, and the size
/// of the log that goes with them.
///
/// It is written after the log. Lines that came in between are counted in the log itself, unless
/// the log was rotated at the very same moment: then they are logged twice.
final class SafePosition implements AutoCloseable {
  /// Three numbers, the length of the name, and the name.
  private static final int HEAD = 3 * Long.BYTES + Integer.BYTES;

  private static final int LONGEST_NAME = 256;

  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocate(HEAD + LONGEST_NAME);
  private long stdout;
  private long stderr;
  private long logSize;
  private String logName = "";

  private SafePosition(FileChannel file) {
    this.file = file;
  }

  /// Opens the position of a container, with the lines that its log has beyond it.
  static SafePosition open(Path path, @Nullable LogFile log) throws IOException {
    SafePosition position =
        new SafePosition(
            FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    position.read();
    if (log != null && log.identity().equals(position.logName)) {
      for (String line : log.linesFrom(Math.min(position.logSize, log.size()))) {
        position.stdout += LogLines.count(line, GuestStream.STDOUT);
        position.stderr += LogLines.count(line, GuestStream.STDERR);
      }
    }
    return position;
  }

  private void read() throws IOException {
    buffer.clear();
    file.read(buffer, 0);
    buffer.flip();
    if (buffer.remaining() < HEAD) {
      return;
    }
    stdout = buffer.getLong();
    stderr = buffer.getLong();
    logSize = buffer.getLong();
    int length = buffer.getInt();
    if (length >= 0 && length <= buffer.remaining()) {
      byte[] name = new byte[length];
      buffer.get(name);
      logName = new String(name, StandardCharsets.US_ASCII);
    }
  }

  OutputPosition position() {
    return new OutputPosition(stdout, stderr);
  }

  long of(GuestStream stream) {
    return stream == GuestStream.STDOUT ? stdout : stderr;
  }

  void move(GuestStream stream, long to, @Nullable LogFile log) throws IOException {
    if (stream == GuestStream.STDOUT) {
      stdout = to;
    } else {
      stderr = to;
    }
    logSize = log == null ? 0 : log.size();
    logName = log == null ? "" : log.identity();
    byte[] name = logName.getBytes(StandardCharsets.US_ASCII);
    buffer.clear();
    buffer.putLong(stdout).putLong(stderr).putLong(logSize).putInt(name.length).put(name).flip();
    file.write(buffer, 0);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
