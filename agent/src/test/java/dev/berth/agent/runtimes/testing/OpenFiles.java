package dev.berth.agent.runtimes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What this process has open, by what it is: files by their names, sockets and pipes as such.
public record OpenFiles(Map<String, Integer> counts) {
  private static final Path OWN = Path.of("/proc/self/fd");

  /// The virtual machine opens these when it needs more classes.
  private static final List<String> OF_THE_MACHINE = List.of(".jar", "/modules", ".jsa", ".so");

  public static OpenFiles now() {
    Map<String, Integer> counts = new TreeMap<>();
    try (Stream<Path> all = Files.list(OWN)) {
      all.map(OpenFiles::target)
          .filter(
              target -> !target.isEmpty() && OF_THE_MACHINE.stream().noneMatch(target::endsWith))
          .forEach(target -> counts.merge(target, 1, Integer::sum));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new OpenFiles(counts);
  }

  /// Without the number that tells one socket or pipe from another; empty for what is closed by
  /// now, and for the list itself.
  private static String target(Path entry) {
    try {
      String target = Files.readSymbolicLink(entry).toString();
      return target.endsWith("/fd") ? "" : target.replaceFirst("^(socket|pipe):.*", "$1");
    } catch (IOException _) {
      return "";
    }
  }

  /// What is open now and was not then.
  public Map<String, Integer> since(OpenFiles before) {
    Map<String, Integer> more = new TreeMap<>();
    counts.forEach(
        (target, count) -> {
          int added = count - before.counts().getOrDefault(target, 0);
          if (added > 0) {
            more.put(target, added);
          }
        });
    return more;
  }
}
