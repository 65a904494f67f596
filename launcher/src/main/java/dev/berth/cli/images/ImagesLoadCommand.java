package dev.berth.cli.images;

import dev.berth.agent.runtimes.admin.AdminAnswer.Services;
import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.agent.runtimes.admin.ServiceEntry;
import dev.berth.cli.options.AgentFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.launch.containerd.images.ImageLoading;
import dev.berth.launch.containerd.programs.ContainerdException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth images load`.
@Command(
    name = "load",
    description = {
      "Load the images of an archive into every containerd of the agent on this machine.",
      "Pods can then use them without a registry. The archive is the output of `docker save`, or a tar",
      "file with an OCI image layout."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  docker save web:1 -o web.tar && berth images load web.tar"})
final class ImagesLoadCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Parameters(paramLabel = "FILE", arity = "1", description = "The archive to load.")
  private String file = "";

  @Override
  public List<String> mistakes() {
    return file.isEmpty() || Files.isReadable(Path.of(file))
        ? List.of()
        : List.of("FILE=" + file + ": cannot be read");
  }

  @Override
  public Integer call() {
    return agent.ask(spec.commandLine(), new AdminRequest.List(), this::load);
  }

  private int load(Services services) {
    Map<String, ServiceEntry> stores = new LinkedHashMap<>();
    services.services().forEach(service -> stores.putIfAbsent(service.imageEndpoint(), service));
    int loaded = 0;
    int failed = 0;
    for (ServiceEntry service : stores.values()) {
      Optional<Path> socket = service.imageSocket();
      if (!service.runsContainerd() || socket.isEmpty()) {
        spec.commandLine()
            .getErr()
            .printf(
                "Warning: images are not loaded into \"%s\": only containerd loads archives, and this is %s%n",
                service.name(), service.version().isEmpty() ? "unknown" : service.version());
      } else if (load(service, socket.get())) {
        loaded++;
      } else {
        failed++;
      }
    }
    return loaded > 0 && failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /// Whether the images were loaded; a containerd that hangs does not keep the others from loading.
  private boolean load(ServiceEntry service, Path socket) {
    try {
      ImageLoading.load(socket, Path.of(file).toAbsolutePath())
          .forEach(line -> spec.commandLine().getOut().println(service.name() + ": " + line));
      return true;
    } catch (ContainerdException e) {
      spec.commandLine().getErr().println("berth: " + service.name() + ": " + e.problem());
      return false;
    }
  }
}
