package dev.berth.agent.node.machine;

import dev.berth.agent.usage.InterfaceCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The machine's own network interfaces, without the loopback and the host ends of pods'
/// interfaces.
///
/// @param root of the file system, for tests
public record LinuxNetwork(Path root) {
  private static final List<String> NOT_OWN = List.of("lo", "veth", "docker", "nerdctl");
  private static final String EVERYWHERE = "00000000";

  // Columns after the name.
  private static final int RECEIVED = 0;
  private static final int RECEIVED_WRONG = 2;
  private static final int SENT = 8;
  private static final int SENT_WRONG = 10;

  /// The interface of the default route first.
  public List<InterfaceCounters> interfaces() throws IOException {
    List<InterfaceCounters> all = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("proc/net/dev"))) {
      int colon = line.indexOf(':');
      if (colon > 0 && isOwn(line.substring(0, colon).strip())) {
        all.add(read(line.substring(0, colon).strip(), line.substring(colon + 1)));
      }
    }
    String main = main().orElse("eth0");
    Predicate<InterfaceCounters> isMain = one -> one.name().equals(main);
    return Stream.concat(all.stream().filter(isMain), all.stream().filter(Predicate.not(isMain)))
        .toList();
  }

  private static boolean isOwn(String name) {
    return NOT_OWN.stream().noneMatch(name::startsWith);
  }

  private static InterfaceCounters read(String name, String numbers) {
    String[] columns = numbers.strip().split(" +", -1);
    return new InterfaceCounters(
        name,
        Long.parseLong(columns[RECEIVED]),
        Long.parseLong(columns[RECEIVED_WRONG]),
        Long.parseLong(columns[SENT]),
        Long.parseLong(columns[SENT_WRONG]));
  }

  private Optional<String> main() throws IOException {
    Path routes = root.resolve("proc/net/route");
    if (!Files.exists(routes)) {
      return Optional.empty();
    }
    return Files.readAllLines(routes).stream()
        .map(line -> line.split("\\s+", -1))
        .filter(route -> route.length > 1 && route[1].equals(EVERYWHERE))
        .map(route -> route[0])
        .findFirst();
  }
}
