package dev.berth.cli.runtimes;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.LogVerbosity;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.process.ProcessLifetime;
import dev.berth.launch.simulation.SimulatedServices;
import dev.berth.launch.simulation.SimulatedServices.Request;
import dev.berth.launch.simulation.SimulatedServices.Service;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth sim`: simulated runtime services.
@Command(
    name = "sim",
    description = {
      "Run simulated runtime services: CRI without containers, for any platform, with fault injection.",
      "docs/simulator.md describes all settings."
    },
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth sim --endpoint unix:///tmp/sim.sock",
      "  berth sim --endpoint unix:///tmp/win.sock --profile windows/amd64 --os-version 10.0.17763.1",
      "  berth sim --endpoint /tmp/sim.sock --fault call=RunPodSandbox,code=UNAVAILABLE,count=3",
      "  berth sim --endpoint /tmp/sim.sock --admin-endpoint unix:///tmp/admin.sock",
      "  curl --unix-socket /tmp/admin.sock http://sim/faults -d '{call: PullImage, latency: 10s}'",
      "  berth sim --config fleet.yaml"
    })
public final class SimCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;

  @OptionSection("Service")
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file that describes one or more simulated runtime services. Options take"
              + " precedence over the file.")
  private @Nullable String config;

  @OptionSection("Service")
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description =
          "Endpoint on which the runtime service listens: unix:///PATH, or"
              + " tcp://127.0.0.1:PORT, where 0 selects any free port.")
  private @Nullable String endpoint;

  @OptionSection("Service")
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the runtime service in logs. Default: sim.")
  private @Nullable String name;

  @OptionSection("Platform")
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Profile of the runtime service: linux/amd64, linux/arm64, windows/amd64 or vm."
              + " Default: linux/amd64.")
  private @Nullable String profile;

  @OptionSection("Platform")
  @Option(
      names = "--os-version",
      paramLabel = "VERSION",
      description =
          "Version of the simulated Windows host, such as 10.0.17763.805. Default:"
              + " 10.0.20348.2340.")
  private @Nullable String osVersion;

  @OptionSection("Platform")
  @Option(
      names = "--compatibility",
      paramLabel = "LEVEL",
      description = "Version of CRI that is offered: current or containerd-1.6. Default: current.")
  private @Nullable String compatibility;

  @OptionSection("Platform")
  @Option(
      names = "--handler",
      paramLabel = "KEY=VALUE,...",
      description =
          "Runtime handler, such as name=runc; the first is the default handler. Can be"
              + " repeated.")
  private List<String> handlers = List.of();

  @OptionSection("Image")
  @Option(
      names = "--image",
      paramLabel = "KEY=VALUE,...",
      description =
          "Image that can be pulled, such as reference=nginx:1,size=20Mi,pullTime=5s. Can be"
              + " repeated. Without images and registries, every image can be pulled.")
  private List<String> images = List.of();

  @OptionSection("Image")
  @Option(
      names = "--registry",
      paramLabel = "KEY=VALUE,...",
      description =
          "Real registry in which images are looked up, such as"
              + " host=registry.example.com,endpoint=http://127.0.0.1:5000. Can be repeated.")
  private List<String> registries = List.of();

  @OptionSection("Fault injection")
  @Option(
      names = "--fault",
      paramLabel = "KEY=VALUE,...",
      description =
          "Fault to inject, such as call=Version,latency=1s or call=Version,code=INTERNAL. Can"
              + " be repeated.")
  private List<String> faults = List.of();

  @OptionSection("Fault injection")
  @Option(
      names = "--exit",
      paramLabel = "KEY=VALUE,...",
      description = "Exit of containers, such as container=web,after=30s,code=1. Can be repeated.")
  private List<String> exits = List.of();

  @OptionSection("Image")
  @Option(
      names = "--pull-rate",
      paramLabel = "SIZE",
      description =
          "Rate of image pulls in bytes per second, such as 10Mi. Default: pulls take no time.")
  private @Nullable String pullRate;

  @OptionSection("Image")
  @Option(
      names = "--pull-latency",
      paramLabel = "DURATION",
      description = "Minimum duration of every image pull, such as 200ms.")
  private @Nullable String pullLatency;

  @OptionSection("Platform")
  @Option(names = "--no-events", description = "Do not offer the stream of container events.")
  private boolean noEvents;

  @OptionSection("Service")
  @Option(
      names = "--admin-endpoint",
      paramLabel = "URL",
      description =
          "Endpoint (unix:///PATH) of the admin API, with which settings are changed while the"
              + " simulator runs.")
  private @Nullable String adminEndpoint;

  @Option(names = "-v", description = "Log debug messages; -vv also logs messages of libraries.")
  private boolean[] verbosity = {};

  @Override
  public List<String> mistakes() {
    return SimulatedServices.mistakes(request());
  }

  @Override
  public Integer call() throws InterruptedException {
    LogVerbosity.set(verbosity.length);
    SimulatedServices simulation = SimulatedServices.start(request());
    ProcessLifetime.untilSignal(
        simulation,
        spec.commandLine().getOut(),
        greeting(simulation.services()),
        () -> "Stopping.");
    return 0;
  }

  private Request request() {
    Map<String, String> settings = new LinkedHashMap<>();
    put(settings, "endpoint", endpoint);
    put(settings, "name", name);
    put(settings, "profile", profile);
    put(settings, "osVersion", osVersion);
    put(settings, "compatibility", compatibility);
    put(settings, "pulls.bytesPerSecond", pullRate);
    put(settings, "pulls.latency", pullLatency);
    put(settings, "events", noEvents ? "false" : null);
    put(settings, "adminEndpoint", adminEndpoint);
    return new Request(
        Optional.ofNullable(config).map(Path::of),
        settings,
        Map.of(
            "faults",
            faults,
            "exits",
            exits,
            "handlers",
            handlers,
            "images",
            images,
            "registries",
            registries));
  }

  private static void put(Map<String, String> settings, String key, @Nullable String value) {
    if (value != null) {
      settings.put(key, value);
    }
  }

  private static String greeting(List<Service> services) {
    StringBuilder text = new StringBuilder();
    text.append(
        "Simulating %d runtime service%s.%n%n"
            .formatted(services.size(), services.size() == 1 ? "" : "s"));
    for (Service service : services) {
      text.append(
          "  %s   %s   %s%n".formatted(service.name(), service.endpoint(), service.platform()));
    }
    services.stream()
        .flatMap(service -> service.admin().stream())
        .findFirst()
        .ifPresent(
            socket ->
                text.append("%nTry      curl --unix-socket %s http://sim/%n".formatted(socket)));
    return text.append("Stop     Ctrl-C%n".formatted()).toString();
  }
}
