package dev.berth.agent.streams;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.FileStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/// A log that is read line by line while a runtime writes it, and may rotate it.
final class LogFile implements AutoCloseable {
  private static final int BLOCK = 64 << 10;

  /// Runtimes split lines long before this length.
  private static final int LONGEST_LINE = 16 << 20;

  private final Path path;
  private RandomAccessFile file;
  private FileStatus identity;
  private final byte[] block = new byte[BLOCK];
  private int start;
  private int end;

  /// The incomplete line read so far.
  private byte[] line = new byte[1024];

  private int length;

  LogFile(Path path) throws IOException {
    this.path = path;
    try (DirectoryHandle directory = DirectoryHandle.ofLog(path);
        FileHandle found = directory.find(name())) {
      this.file = found.read();
      this.identity = found.status();
    }
  }

  /// Moves to the start of the last lines.
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

  /// Reads the next complete line into [#bytes()]. An incomplete line waits for its end.
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

  private void append(int from, int to) throws IOException {
    int more = to - from;
    if (length + more > LONGEST_LINE) {
      throw new IOException("the log has a line of more than %d bytes".formatted(LONGEST_LINE));
    }
    if (line.length < length + more) {
      line = Arrays.copyOf(line, Math.max(line.length * 2, length + more));
    }
    System.arraycopy(block, from, line, length, more);
    length += more;
  }

  byte[] bytes() {
    return line;
  }

  /// Whether rotation has replaced the file. The old file gets no more lines then, but may have
  /// some that are not read yet.
  boolean isReplaced() throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.ofLog(path)) {
      return directory.status(name()).filter(now -> !now.isSameFile(identity)).isPresent();
    } catch (NoSuchFileException _) {
      return false;
    }
  }

  /// Continues with the file that replaced this one.
  void reopen() throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.ofLog(path);
        FileHandle found = directory.find(name())) {
      RandomAccessFile next = found.read();
      file.close();
      file = next;
      identity = found.status();
      length = 0;
    }
  }

  private String name() {
    return String.valueOf(path.getFileName());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
