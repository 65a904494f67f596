package dev.berth.cri;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// The file of a unix socket, from before it is bound until after the server closes it.
///
/// The socket is bound under a temporary name, made private, and then renamed. So nobody can
/// connect before it is private, a stale file is replaced atomically, and an old server that closes
/// never removes the socket of its successor.
public final class SocketFile {
  private final Path path;
  private final @Nullable Object identity;

  private SocketFile(Path path, @Nullable Object identity) {
    this.path = path;
    this.identity = identity;
  }

  /// Checks that nobody listens at the path, and creates its directory.
  public static SocketFile prepare(Path path) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null && !Files.exists(directory)) {
      var owner =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      Files.createDirectories(directory, owner);
    }
    refuseWhatIsInUse(path);
    var file = new SocketFile(path, null);
    Files.deleteIfExists(file.bindPath());
    return file;
  }

  /// The temporary path to bind the socket to.
  public Path bindPath() {
    return path.resolveSibling(path.getFileName() + "~");
  }

  /// Makes the bound socket private and renames it to its final path.
  ///
  /// The identity of the file (device and inode) is kept, so that `remove` recognizes it.
  public SocketFile publish() throws IOException {
    Files.setPosixFilePermissions(bindPath(), PosixFilePermissions.fromString("rw-------"));
    Files.move(bindPath(), path, StandardCopyOption.ATOMIC_MOVE);
    return new SocketFile(path, attributes(path).fileKey());
  }

  /// Deletes the file, unless another server has replaced it.
  public void remove() {
    try {
      if (identity != null && identity.equals(attributes(path).fileKey())) {
        Files.delete(path);
      }
    } catch (IOException _) {
      // The file is gone, or its directory is no longer writable. The next server replaces it.
    }
  }

  /// A file without a listener is left over from a crash: connecting to it is refused. Every other
  /// outcome means that somebody listens, or that nobody knows; then the file stays.
  private static void refuseWhatIsInUse(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!attributes(path).isOther()) {
      throw new BindException(path + " exists and is not a socket");
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false);
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException _) {
      return;
    }
    throw new BindException("another server listens at " + path);
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}
