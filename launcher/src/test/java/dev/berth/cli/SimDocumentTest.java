package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.runtimes.SimCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// docs/simulator.md has an example of every flag, and the examples are understood.
final class SimDocumentTest {
  private static final Pattern FLAG = Pattern.compile("(--[a-z][a-z-]*)(?: ([^\\s`,;]\\S*))?");

  @Test
  void everyFlagIsInTheDocumentAndNoOther() throws IOException {
    Set<String> documented = new TreeSet<>();
    Matcher flag = FLAG.matcher(flags());
    while (flag.find()) {
      documented.add(flag.group(1));
    }
    Set<String> known = new TreeSet<>();
    new CommandLine(new SimCommand())
        .getCommandSpec()
        .optionsMap()
        .keySet()
        .forEach(name -> known.add(name));
    known.removeIf(name -> !name.startsWith("--"));

    assertThat(documented).isEqualTo(known);
  }

  @Test
  void theRulesOfTheDocumentAreUnderstood() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--endpoint", "unix:///tmp/sim.sock"));
    Matcher flag = FLAG.matcher(flags());
    while (flag.find()) {
      if (flag.group(2) != null && flag.group(2).contains("=")) {
        arguments.add(flag.group(1));
        arguments.add(flag.group(2));
      }
    }
    SimCommand command = new SimCommand();
    new CommandLine(command).parseArgs(arguments.toArray(String[]::new));

    assertThat(arguments).hasSizeGreaterThan(8);
    assertThat(command.mistakes()).isEmpty();
  }

  /// Without the lines for curl, which has flags of its own.
  private static String flags() throws IOException {
    return Files.readString(Path.of("..", "docs", "simulator.md"))
        .replaceAll("--unix-socket|-X [A-Z]+", "");
  }
}
