package dev.berth.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks the kernel about the other end of a connection on this machine.
///
/// A process that does not read does not see the end of a connection, because it comes after the
/// unread bytes. A process that has written does not see whether the bytes arrived. The kernel's
/// tables show both.
///
/// @param tables the files that list TCP connections, one for each version of IP
record PeerProcess(List<Path> tables) {
  static final PeerProcess OF_THIS_MACHINE =
      new PeerProcess(List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")));

  private static final String ESTABLISHED = "01";
  private static final String NOTHING_TO_SEND = "00000000:";
  private static final int WORDS = 5;

  /// Whether the peer has closed the connection; false where that is not known, such as on other
  /// systems.
  boolean hasLeft(SocketAddress own, SocketAddress other) {
    return connection(own, other)
        .filter(ends -> ends.stream().noneMatch(PeerProcess::isOpen))
        .isPresent();
  }

  /// Whether the peer has not received everything yet; false where that is not known.
  boolean isBehind(SocketAddress own, SocketAddress other) {
    return connection(own, other)
        .filter(ends -> ends.stream().anyMatch(PeerProcess::holdsBytes))
        .isPresent();
  }

  /// The row of our end of the connection; empty where the kernel lists none.
  ///
  /// Comparing ports is enough: a second connection with the same two ports only makes us wait
  /// longer.
  private Optional<List<String>> connection(SocketAddress own, SocketAddress other) {
    if (!(own instanceof InetSocketAddress here) || !(other instanceof InetSocketAddress there)) {
      return Optional.empty();
    }
    List<String> ends = new ArrayList<>();
    boolean isKnown = false;
    for (Path table : tables) {
      try {
        Files.readAllLines(table).stream()
            .filter(line -> isOf(line, here, there))
            .forEach(ends::add);
        isKnown = true;
      } catch (IOException _) {
        // Another system, or a version of IP that is disabled.
      }
    }
    return isKnown ? Optional.of(ends) : Optional.empty();
  }

  private static boolean isOf(String line, InetSocketAddress here, InetSocketAddress there) {
    String[] words = words(line);
    return words.length == WORDS && words[1].endsWith(port(here)) && words[2].endsWith(port(there));
  }

  private static boolean isOpen(String line) {
    return words(line)[3].equals(ESTABLISHED);
  }

  private static boolean holdsBytes(String line) {
    return !words(line)[4].startsWith(NOTHING_TO_SEND);
  }

  /// Splits a row into number, both addresses, state, and the rest, which begins with the
  /// unacknowledged bytes.
  private static String[] words(String line) {
    return line.strip().split("\\s+", WORDS);
  }

  private static String port(InetSocketAddress address) {
    return ":%04X".formatted(address.getPort());
  }
}
