package dev.berth.agent.streams;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A log that is read line by line while somebody writes it, and perhaps replaces it.
final class LogFile implements AutoCloseable {
  private static final int BLOCK = 64 << 10;

  private final Path path;
  private RandomAccessFile file;
  private @Nullable Object identity;
  private final byte[] block = new byte[BLOCK];
  private int start;
  private int end;

  /// The part of a line that has been read so far.
  private byte[] line = new byte[1024];

  private int length;

  LogFile(Path path) throws IOException {
    this.path = path;
    this.file = new RandomAccessFile(path.toFile(), "r");
    this.identity = identity(path);
  }

  /// Goes to where the last lines begin.
  void seekTail(long lines) throws IOException {
    long position = file.length();
    long wanted = lines;
    if (wanted == 0) {
      file.seek(position);
      return;
    }
    boolean first = true;
    while (position > 0) {
      int size = (int) Math.min(BLOCK, position);
      position -= size;
      file.seek(position);
      file.readFully(block, 0, size);
      for (int i = size - 1; i >= 0; i--) {
        boolean lineEnd = block[i] == '\n' && !first;
        first = false;
        if (lineEnd && --wanted == 0) {
          file.seek(position + i + 1);
          return;
        }
      }
    }
    file.seek(0);
  }

  /// The next whole line; its bytes are in [#bytes()]. A line without an end stays for later.
  ///
  /// @return its length, or -1 when there is none now
  int next() throws IOException {
    while (true) {
      for (int i = start; i < end; i++) {
        if (block[i] == '\n') {
          append(start, i + 1);
          start = i + 1;
          int whole = length;
          length = 0;
          return whole;
        }
      }
      append(start, end);
      start = 0;
      end = Math.max(0, file.read(block));
      if (end == 0) {
        return -1;
      }
    }
  }

  private void append(int from, int to) {
    int more = to - from;
    if (line.length < length + more) {
      line = Arrays.copyOf(line, Math.max(line.length * 2, length + more));
    }
    System.arraycopy(block, from, line, length, more);
    length += more;
  }

  byte[] bytes() {
    return line;
  }

  /// Whether another file has taken the place of this one, as log rotation does it. This one gets
  /// no more lines from then on, but may have got some since the last look.
  boolean isReplaced() throws IOException {
    Object now = identity(path);
    return now != null && !now.equals(identity);
  }

  /// Goes on with the file that has taken the place of this one.
  void reopen() throws IOException {
    Object now = identity(path);
    RandomAccessFile next = new RandomAccessFile(path.toFile(), "r");
    file.close();
    file = next;
    identity = now;
    length = 0;
  }

  private static @Nullable Object identity(Path path) throws IOException {
    try {
      return Files.getAttribute(path, "unix:ino");
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
