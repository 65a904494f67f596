package dev.berth.cli.runtimes;

import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.cli.options.AgentFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.WaitTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth runtimes drain`.
@Command(
    name = "drain",
    description = {
      "Allow no new pods on a runtime service, and wait until its present pods are gone.",
      "The runtime service stays drained across restarts of the agent, until --undo."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes drain crio",
      "  berth runtimes drain crio --timeout 0     does not wait",
      "  berth runtimes drain crio --undo"
    })
final class RuntimesDrainCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Parameters(paramLabel = "NAME", arity = "1", description = "Name of the runtime service.")
  private String name = "";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "Time to wait until the runtime service has no pods, such as 30s, 10m or 2h; 0 means"
              + " do not wait. Default: ${DEFAULT-VALUE}.")
  private String timeout = "";

  @Option(names = "--undo", description = "Allow new pods on the runtime service again.")
  private boolean undo;

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    if (WaitTime.seconds(timeout).isEmpty()) {
      mistakes.add("--timeout=%s: must be a time such as 30s, 10m or 2h".formatted(timeout));
    }
    return mistakes;
  }

  @Override
  public Integer call() {
    AdminRequest request =
        undo
            ? new AdminRequest.Resume(name)
            : new AdminRequest.Drain(name, WaitTime.seconds(timeout).orElseThrow());
    return agent.ask(spec.commandLine(), request);
  }
}
