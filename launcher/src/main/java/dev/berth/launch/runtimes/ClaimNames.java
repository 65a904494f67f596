package dev.berth.launch.runtimes;

import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/// The names of the lock files of a runtime service.
///
/// A service in another mount namespace, or behind a link or a bind mount, has another path but the
/// same inodes; a socket gets a new inode whenever its runtime starts, and its directory does not.
/// So one service has several names, and a claim locks all of them.
final class ClaimNames {
  private static final int BYTES = 16;

  private ClaimNames() {}

  /// @param owner the cluster and the node whose pods are meant
  static List<String> of(CriEndpoint endpoint, String owner) throws IOException {
    return places(endpoint).stream().map(place -> digest(owner + "\n" + place) + ".lock").toList();
  }

  private static List<String> places(CriEndpoint endpoint) throws IOException {
    return switch (endpoint) {
      case CriEndpoint.UnixSocket(Path socket) -> places(socket.toAbsolutePath().normalize());
      case CriEndpoint.Loopback _, CriEndpoint.NamedPipe _ -> List.of(endpoint.toString());
      case CriEndpoint.InProcess _ -> List.of();
    };
  }

  private static List<String> places(Path socket) throws IOException {
    List<String> places = new ArrayList<>();
    Path real = Files.exists(socket) ? socket.toRealPath() : socket;
    Path directory = Objects.requireNonNull(real.getParent());
    if (Files.isDirectory(directory)) {
      real = directory.toRealPath().resolve(Objects.requireNonNull(real.getFileName()));
      places.add("directory %s %s".formatted(inode(directory), real.getFileName()));
    }
    if (Files.exists(real)) {
      places.add("socket " + inode(real));
    }
    // All agents lock in this order; without an order two could refuse each other.
    places.addFirst("path " + real);
    return places;
  }

  private static String inode(Path path) throws IOException {
    return String.valueOf(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }
}
