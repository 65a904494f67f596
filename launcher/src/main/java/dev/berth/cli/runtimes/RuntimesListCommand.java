package dev.berth.cli.runtimes;

import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.cli.options.AgentFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.OutputFlag;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth runtimes list`.
@Command(
    name = "list",
    description = "List the runtime services with type, health, pods, version and handlers.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes list",
      "  berth runtimes list -o wide     with endpoints and origins",
      "  berth runtimes list -o json | jq -r '.services[] | select(.health != \"Ready\") | .name'"
    })
final class RuntimesListCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Mixin private OutputFlag output;

  @Override
  public List<String> mistakes() {
    return output.mistakes();
  }

  @Override
  public Integer call() {
    return agent.ask(
        spec.commandLine(),
        new AdminRequest.List(),
        services -> new ServiceTable(services, spec.commandLine(), Instant.now()).print(output));
  }
}
