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

/// `berth train-cache`: a short run for the launcher script, which records it into the start-up
/// cache of the JVM.
@Command(
    name = "train-cache",
    hidden = true,
    description =
        "Run a control plane in a temporary directory to train the start-up cache of the JVM.",
    footerHeading = "%nExample:%n",
    footer = "  berth train-cache --node")
public final class TrainCacheCommand implements Callable<Integer> {
  @Option(names = "--node", description = "Also run a node and its pods.")
  private boolean node;

  @Override
  public Integer call() throws IOException {
    Path directory = Files.createTempDirectory("berth-training-");
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
