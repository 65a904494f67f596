package dev.berth.agent.files;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// A file or directory that stays the same one, whatever happens to its name. Confined to one
/// thread at a time.
public final class FileHandle implements AutoCloseable {
  final int descriptor;
  private final Path name;
  private boolean isClosed;

  /// @param name for messages
  FileHandle(int descriptor, Path name) {
    this.descriptor = descriptor;
    this.name = name;
  }

  public FileStatus status() throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      return calls.status(descriptor, name);
    }
  }

  /// The path of this file in /proc/self/fd; valid in this process while the handle is open.
  public Path descriptorPath() {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /// The file's current path, without links.
  public Path realPath() throws IOException {
    return Files.readSymbolicLink(descriptorPath());
  }

  /// Opens a regular file for reading. Pipes and devices are refused without opening them, since
  /// that could block or have effects.
  public RandomAccessFile read() throws IOException {
    if (!status().isRegularFile()) {
      throw new FileSystemException(name.toString(), null, "not a regular file");
    }
    return new RandomAccessFile(descriptorPath().toFile(), "r");
  }

  /// Reads the end of a regular file, even if it grows or shrinks.
  ///
  /// @param most the maximum number of bytes
  public byte[] tail(int most) throws IOException {
    try (RandomAccessFile file = read()) {
      file.seek(Math.max(0, file.length() - most));
      byte[] bytes = new byte[most];
      int length = 0;
      for (int more; length < most && (more = file.read(bytes, length, most - length)) > 0; ) {
        length += more;
      }
      return Arrays.copyOf(bytes, length);
    }
  }

  /// Replaces the content of a writable file.
  public void write(byte[] content) throws IOException {
    try (OutputStream out = output()) {
      out.write(content);
    }
  }

  public void write(String content) throws IOException {
    write(content.getBytes(StandardCharsets.UTF_8));
  }

  /// A stream into the truncated file.
  public OutputStream output() throws IOException {
    return new FileOutputStream(descriptorPath().toFile());
  }

  public void setMode(int mode) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.setMode(descriptor, mode, name);
    }
  }

  public void setUser(long user) throws IOException {
    setOwner(user, -1);
  }

  public void setGroup(long group) throws IOException {
    setOwner(-1, group);
  }

  private void setOwner(long user, long group) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.setOwner(descriptor, (int) user, (int) group, name);
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      try (LinuxCalls calls = new LinuxCalls()) {
        calls.close(descriptor);
      }
    }
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
