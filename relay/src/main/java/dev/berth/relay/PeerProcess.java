package dev.berth.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks the kernel about the other end of a connection.
///
/// Who does not read does not hear of the end, because it comes after what was sent before; and who
/// has written does not hear whether it arrived. The kernel knows both.
///
/// @param tables where it lists connections, one for each version of IP
record PeerProcess(List<Path> tables) {
  static final PeerProcess OF_THIS_MACHINE =
      new PeerProcess(List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")));

  private static final String ESTABLISHED = "01";
  private static final String NOTHING_TO_SEND = "00000000:";
  private static final int WORDS = 5;

  /// Whether it has closed the connection. Never where that is not known: on other systems, say.
  boolean hasLeft(SocketAddress own, SocketAddress other) {
    return connection(own, other)
        .filter(ends -> ends.stream().noneMatch(PeerProcess::isOpen))
        .isPresent();
  }

  /// Whether it has not yet got all that was sent. Never where that is not known.
  boolean isBehind(SocketAddress own, SocketAddress other) {
    return connection(own, other)
        .filter(ends -> ends.stream().anyMatch(PeerProcess::holdsBytes))
        .isPresent();
  }

  /// What the kernel lists of a connection, our end of it; empty where it lists nothing.
  ///
  /// Ports tell enough: another connection with the same two only means that we wait longer.
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
        // Another system, or a version of IP that is switched off.
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

  /// Number, both addresses, state, and the rest, which begins with the bytes that were not taken.
  private static String[] words(String line) {
    return line.strip().split("\\s+", WORDS);
  }

  private static String port(InetSocketAddress address) {
    return ":%04X".formatted(address.getPort());
  }
}
