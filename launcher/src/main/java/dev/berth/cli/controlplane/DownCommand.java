package dev.berth.cli.controlplane;

import dev.berth.cli.options.FlagChecks;
import dev.berth.launch.agent.NodeDown;
import dev.berth.launch.process.DefaultDataDir;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth down`: stops what `berth up` left running.
@Command(
    name = "down",
    description = {
      "Stop the pods, the containerd and the VM runtime that `berth up` left running when it stopped.",
      "Objects and images are kept: the next `berth up` starts the same pods again."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth down",
      "  berth down --data-dir /tmp/second && rm -r /tmp/second    removes everything"
    })
public final class DownCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Data directory of the `berth up` whose pods are stopped. Default: the data directory"
              + " of this user.")
  private String dataDir = "";

  @Option(
      names = "--grace-period",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "Time in seconds that containers have to terminate before they are killed. Default:"
              + " ${DEFAULT-VALUE}.")
  private String grace = "";

  @Override
  public List<String> mistakes() {
    return grace.matches("[0-9]{1,6}")
        ? List.of()
        : List.of("--grace-period=" + grace + ": must be a number of seconds");
  }

  @Override
  public void run() {
    Path directory =
        dataDir.isEmpty()
            ? DefaultDataDir.ofThisUser()
            : Path.of(dataDir).toAbsolutePath().normalize();
    NodeDown.run(
        directory, Duration.ofSeconds(Long.parseLong(grace)), spec.commandLine().getOut()::println);
  }
}
