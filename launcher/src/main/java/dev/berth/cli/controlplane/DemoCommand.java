package dev.berth.cli.controlplane;

import dev.berth.cli.options.FlagChecks;
import dev.berth.launch.demo.DemoTour;
import dev.berth.launch.process.DefaultDataDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth demo`: a short tour.
@Command(
    name = "demo",
    description = {
      "Show a short tour of a running `berth up`: the same pod with runc, with crun and in a virtual machine.",
      "The tour prints each command that it runs, shows the node, the log and an exec of the pods, compares",
      "their kernels, start times and memory, and deletes what it created."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth demo", "  berth demo --data-dir /tmp/second"})
public final class DemoCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Data directory of the running `berth up`. Default: the data directory of this user.")
  private String dataDir = "";

  @Override
  public List<String> mistakes() {
    return Files.isReadable(kubeconfig())
        ? List.of()
        : List.of("--data-dir: %s cannot be read; start `berth up` first".formatted(kubeconfig()));
  }

  @Override
  public Integer call() throws InterruptedException {
    return DemoTour.run(directory(), spec.commandLine().getOut()) ? 0 : 1;
  }

  private Path kubeconfig() {
    return directory().resolve("admin.kubeconfig");
  }

  private Path directory() {
    return dataDir.isEmpty()
        ? DefaultDataDir.ofThisUser()
        : Path.of(dataDir).toAbsolutePath().normalize();
  }
}
