package dev.berth.cli.runtimes;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.LogVerbosity;
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

/// `berth sim`: runtime services without a machine.
@Command(
    name = "sim",
    description = {
      "Simulate a runtime service: CRI without containers, for any system, with faults on demand.",
      "Everything that can be set is in docs/simulator.md."
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

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML that describes one service, or several. Flags come on top of it.")
  private @Nullable String config;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description =
          "Where to listen: unix:///path, or tcp://127.0.0.1:PORT (0 takes any free one).")
  private @Nullable String endpoint;

  @Option(names = "--name", paramLabel = "NAME", description = "For logs. Default: sim.")
  private @Nullable String name;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "What to be: linux/amd64, linux/arm64, windows/amd64 or vm. Default: linux/amd64.")
  private @Nullable String profile;

  @Option(
      names = "--os-version",
      paramLabel = "VERSION",
      description = "Of the Windows host, such as 10.0.17763.805. Default: 10.0.20348.2340.")
  private @Nullable String osVersion;

  @Option(
      names = "--compatibility",
      paramLabel = "LEVEL",
      description = "How much of CRI there is: current or containerd-1.6. Default: current.")
  private @Nullable String compatibility;

  @Option(
      names = "--handler",
      paramLabel = "KEY=VALUE,...",
      description = "A runtime handler: name=runc. The first is the default. May be repeated.")
  private List<String> handlers = List.of();

  @Option(
      names = "--image",
      paramLabel = "KEY=VALUE,...",
      description =
          "An image that exists: reference=nginx:1,size=20Mi,pullTime=5s. May be repeated; without"
              + " one and without registries, every image exists.")
  private List<String> images = List.of();

  @Option(
      names = "--registry",
      paramLabel = "KEY=VALUE,...",
      description =
          "A real registry to look images up: host=registry.example.com,"
              + "endpoint=http://127.0.0.1:5000. May be repeated.")
  private List<String> registries = List.of();

  @Option(
      names = "--fault",
      paramLabel = "KEY=VALUE,...",
      description = "What goes wrong: call=Version,latency=1s or code=INTERNAL. May be repeated.")
  private List<String> faults = List.of();

  @Option(
      names = "--exit",
      paramLabel = "KEY=VALUE,...",
      description = "Which containers end: container=web,after=30s,code=1. May be repeated.")
  private List<String> exits = List.of();

  @Option(
      names = "--pull-rate",
      paramLabel = "SIZE",
      description = "Bytes per second of image pulls, such as 10Mi. Default: at once.")
  private @Nullable String pullRate;

  @Option(
      names = "--pull-latency",
      paramLabel = "DURATION",
      description = "What every image pull takes at least, such as 200ms.")
  private @Nullable String pullLatency;

  @Option(names = "--no-events", description = "Have no stream of container events.")
  private boolean noEvents;

  @Option(
      names = "--admin-endpoint",
      paramLabel = "URL",
      description = "Unix socket at which everything can be changed while it runs.")
  private @Nullable String adminEndpoint;

  @Option(names = "-v", description = "Log more; -vv also logs what libraries do.")
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
