package dev.berth.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Asks the kernel whether the other end of a connection has left.
///
/// Who does not read does not hear of the end, because it comes after what was sent before. The
/// kernel knows of it all the same.
///
/// @param tables where it lists connections, one for each version of IP
record Peers(List<Path> tables) {
  static final Peers OF_THIS_MACHINE =
      new Peers(List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")));

  private static final String ESTABLISHED = "01";

  /// Never where that is not known: on other systems, say.
  boolean hasLeft(SocketAddress own, SocketAddress other) {
    if (!(own instanceof InetSocketAddress here) || !(other instanceof InetSocketAddress there)) {
      return false;
    }
    boolean isKnown = false;
    for (Path table : tables) {
      try {
        if (Files.readAllLines(table).stream().anyMatch(line -> isOpen(line, here, there))) {
          return false;
        }
        isKnown = true;
      } catch (IOException _) {
        // Another system, or a version of IP that is switched off.
      }
    }
    return isKnown;
  }

  /// Ports tell enough: another connection with the same two only means that we wait longer.
  private static boolean isOpen(String line, InetSocketAddress here, InetSocketAddress there) {
    String[] words = line.strip().split("\\s+", 5);
    return words.length > 3
        && words[1].endsWith(port(here))
        && words[2].endsWith(port(there))
        && words[3].equals(ESTABLISHED);
  }

  private static String port(InetSocketAddress address) {
    return ":%04X".formatted(address.getPort());
  }
}
