package dev.berth.cli.runtimes;

import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.cli.options.AgentFlags;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth runtimes remove`.
@Command(
    name = "remove",
    description = "Remove a runtime service that has no pods.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes remove crio",
      "  berth runtimes remove crio --force     even with pods, which keep running unmanaged"
    })
final class RuntimesRemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Parameters(paramLabel = "NAME", arity = "1", description = "Name of the runtime service.")
  private String name = "";

  @Option(
      names = "--force",
      description =
          "Remove the runtime service even if it has pods. The agent forgets these pods and can"
              + " start them on another runtime service, so use this option only if the runtime does"
              + " not return.")
  private boolean force;

  @Override
  public Integer call() {
    return agent.ask(spec.commandLine(), new AdminRequest.Remove(name, force));
  }
}
