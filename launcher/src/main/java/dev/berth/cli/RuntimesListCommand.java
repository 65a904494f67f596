package dev.berth.cli;

import dev.berth.agent.runtimes.admin.AdminRequest;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth runtimes list`.
@Command(
    name = "list",
    description = "List the runtime services: type, health, pods, version, handlers.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes list",
      "  berth runtimes list -o wide     with endpoints and where they were registered",
      "  berth runtimes list -o json | jq -r '.services[] | select(.health != \"Ready\") | .name'"
    })
final class RuntimesListCommand implements Callable<Integer>, FlagChecks {
  private static final List<String> FORMATS = List.of("", "wide", "json", "yaml");

  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "",
      description = "wide, json or yaml. Default: a table.")
  private String format = "";

  @Override
  public List<String> mistakes() {
    return FORMATS.contains(format)
        ? List.of()
        : List.of("--output=" + format + ": must be wide, json or yaml");
  }

  @Override
  public Integer call() {
    return agent.ask(
        spec.commandLine(),
        new AdminRequest.List(),
        services -> new ServiceListing(services, spec.commandLine(), Instant.now()).print(format));
  }
}
