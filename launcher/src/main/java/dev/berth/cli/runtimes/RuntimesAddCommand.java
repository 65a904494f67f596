package dev.berth.cli.runtimes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.cli.options.AgentFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.WaitTime;
import java.util.ArrayList;
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
      "Register a runtime service. The agent uses it at once, and again after a restart.",
      "The first runtime service of a workload type is its default; an added one is the last."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes add container:crio:unix:///run/crio/crio.sock",
      "  berth runtimes add container:crio:unix:///run/crio/crio.sock --wait 2m",
      "  berth runtimes add vm:qemu:unix:///run/berth/vm.sock --handler microvm --handler q35"
    })
final class RuntimesAddCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Parameters(
      paramLabel = "TYPE:NAME:URL",
      arity = "1",
      description = "Workload type (container or vm), name and endpoint of the runtime service.")
  private String service = "";

  @Option(
      names = "--image-endpoint",
      paramLabel = "URL",
      description =
          "Endpoint of the image service, if it is another than that of the runtime service.")
  private @Nullable String imageEndpoint;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description =
          "Handler that the runtime service offers, for runtimes that do not report their"
              + " handlers. Can be repeated.")
  private List<String> handlers = List.of();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      arity = "0..1",
      fallbackValue = "1m",
      defaultValue = "0",
      description =
          "Time to wait until the runtime service is ready, such as 30s, 10m or 2h; without a"
              + " value, ${FALLBACK-VALUE}. Default: wait for its first answer only.")
  private String wait = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    if (!service.isEmpty() && fields().length != 3) {
      mistakes.add(
          "TYPE:NAME:URL=%s: must have three fields, such as container:crio:unix:///run/crio/crio.sock"
              .formatted(service));
    }
    if (WaitTime.seconds(wait).isEmpty()) {
      mistakes.add("--wait=%s: must be a time such as 30s, 10m or 2h".formatted(wait));
    }
    return mistakes;
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
    return agent.ask(
        spec.commandLine(),
        new AdminRequest.Add(description.toString(), WaitTime.seconds(wait).orElse(0)));
  }

  private String[] fields() {
    return service.split(":", 3);
  }
}
