package dev.berth.vm.pods.output;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// An open log file. Neither the file nor the two directories above it may be links: pods that
/// mount the directory of all logs could place them there. Confined to one thread at a time.
final class LogFile implements AutoCloseable {
  /// `POD/CONTAINER/ATTEMPT.log`: what somebody else may have made.
  private static final int CHECKED_DIRECTORIES = 2;

  private static final int PART = 1 << 16;

  private final SeekableByteChannel channel;
  private final String identity;

  private LogFile(SeekableByteChannel channel, String identity) {
    this.channel = channel;
    this.identity = identity;
  }

  /// Opens a file, and makes it when it is missing. Its directory must exist: the contract makes
  /// the kubelet create it.
  static LogFile open(Path path) throws IOException {
    Path name = Objects.requireNonNull(path.getFileName());
    try (SecureDirectoryStream<Path> directory = directory(path)) {
      BasicFileAttributeView view =
          directory.getFileAttributeView(
              name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      refuseUnlessPlain(view, path);
      SeekableByteChannel channel =
          directory.newByteChannel(
              name,
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
      channel.position(channel.size());
      return new LogFile(channel, String.valueOf(view.readAttributes().fileKey()));
    }
  }

  /// Opening a pipe that nobody reads would wait for ever.
  private static void refuseUnlessPlain(BasicFileAttributeView view, Path path) throws IOException {
    try {
      if (!view.readAttributes().isRegularFile()) {
        throw new FileSystemException(path.toString(), null, "not a regular file");
      }
    } catch (NoSuchFileException _) {
      // It is created next.
    }
  }

  // The caller closes what is returned.
  @SuppressWarnings({"unchecked", "StreamResourceLeak"})
  private static SecureDirectoryStream<Path> directory(Path file) throws IOException {
    Path root = parent(file.toAbsolutePath());
    List<Path> names = new ArrayList<>();
    for (int i = 0; i < CHECKED_DIRECTORIES && root.getNameCount() > 0; i++) {
      names.addFirst(Objects.requireNonNull(root.getFileName()));
      root = parent(root);
    }
    DirectoryStream<Path> opened = Files.newDirectoryStream(root);
    for (Path name : names) {
      try (DirectoryStream<Path> outer = opened) {
        if (!(outer instanceof SecureDirectoryStream<?> secure)) {
          throw new FileSystemException(root.toString(), null, "has no secure directories");
        }
        opened =
            ((SecureDirectoryStream<Path>) secure)
                .newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
      }
    }
    return (SecureDirectoryStream<Path>) opened;
  }

  private static Path parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new FileNotFoundException(path + " has no directory");
    }
    return parent;
  }

  /// Differs between files of the same name.
  String identity() {
    return identity;
  }

  long size() throws IOException {
    return channel.size();
  }

  /// Writes with one call, so that whoever kills this process leaves whole lines, except on a file
  /// system without room.
  void write(byte[] lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(lines);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /// The whole lines from a position on, one character per byte. An unfinished last line is cut
  /// off.
  List<String> linesFrom(long start) throws IOException {
    StringBuilder text = new StringBuilder();
    ByteBuffer part = ByteBuffer.allocate(PART);
    channel.position(start);
    while (channel.read(part) > 0) {
      part.flip();
      text.append(StandardCharsets.ISO_8859_1.decode(part));
      part.clear();
    }
    int whole = text.lastIndexOf("\n") + 1;
    channel.truncate(start + whole);
    channel.position(start + whole);
    return text.substring(0, whole).lines().toList();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
