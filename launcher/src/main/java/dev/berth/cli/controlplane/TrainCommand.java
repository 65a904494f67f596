package dev.berth.cli.controlplane;

import dev.berth.launch.agent.NodeDown;
import dev.berth.launch.training.AotTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `berth rehearse`: for the launcher script, which records it into the JVM's start-up cache.
@Command(
    name = "rehearse",
    hidden = true,
    description = "Live a short life in a temporary directory, for the start-up cache.",
    footerHeading = "%nExample:%n",
    footer = "  berth rehearse --node")
public final class TrainCommand implements Callable<Integer> {
  @Option(names = "--node", description = "With a node and its pods.")
  private boolean node;

  @Override
  public Integer call() throws IOException {
    Path directory = Files.createTempDirectory("berth-rehearsal-");
    try {
      (node ? AotTraining.WITH_NODE : AotTraining.OF_SERVER).play(directory);
    } finally {
      NodeDown.run(directory, Duration.ZERO, _ -> {});
      remove(directory);
    }
    return 0;
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
