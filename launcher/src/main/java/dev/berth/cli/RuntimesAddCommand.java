package dev.berth.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.admin.AdminRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth runtimes add`.
@Command(
    name = "add",
    description = {
      "Register a runtime service. It is used at once, and again after a restart of the agent.",
      "The first service of a workload type is its default; one that is added comes last."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes add container:crio:unix:///run/crio/crio.sock",
      "  berth runtimes add vm:qemu:unix:///run/berth/vm.sock --handler microvm --handler q35"
    })
final class RuntimesAddCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Parameters(
      paramLabel = "TYPE:NAME:URL",
      arity = "1",
      description = "container or vm, the service's name, and where it listens.")
  private String service = "";

  @Option(
      names = "--image-endpoint",
      paramLabel = "URL",
      description = "Where its images are. Default: the same endpoint.")
  private @Nullable String imageEndpoint;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description = "A handler it offers; only for runtimes that do not tell. May be repeated.")
  private List<String> handlers = List.of();

  @Override
  public List<String> mistakes() {
    return service.isEmpty() || fields().length == 3
        ? List.of()
        : List.of(
            "TYPE:NAME:URL=%s: must have three fields, such as container:crio:unix:///run/crio/crio.sock"
                .formatted(service));
  }

  @Override
  public Integer call() {
    String[] fields = fields();
    ObjectNode description = JsonNodeFactory.instance.objectNode();
    description.put("workloadType", fields[0]).put("name", fields[1]).put("endpoint", fields[2]);
    if (imageEndpoint != null) {
      description.put("imageEndpoint", imageEndpoint);
    }
    if (!handlers.isEmpty()) {
      var list = description.putArray("handlers");
      handlers.forEach(list::add);
    }
    return agent.ask(spec.commandLine(), new AdminRequest.Add(description.toString()));
  }

  private String[] fields() {
    return service.split(":", 3);
  }
}
