package dev.berth.cli.controlplane;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.KubeconfigFlag;
import dev.berth.cli.options.LogVerbosity;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.controlplane.StandaloneScheduler;
import dev.berth.launch.process.ProcessLifetime;
import dev.berth.scheduler.SchedulerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth scheduler`: the scheduler alone, for any Kubernetes API server.
@Command(
    name = "scheduler",
    description =
        "Run a scheduler for a Kubernetes API server, Berth's or an upstream one. Replicas use leader"
            + " election.",
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth scheduler --kubeconfig scheduler.kubeconfig",
      "  berth scheduler --scheduler-name berth --metrics-port 10259    beside an upstream scheduler"
    })
public final class SchedulerCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private KubeconfigFlag kubeconfig;
  @Mixin private ClassSchedulingFlag classes;

  @OptionSection("Scheduling")
  @Option(
      names = "--scheduler-name",
      paramLabel = "NAMES",
      split = ",",
      defaultValue = "default-scheduler",
      description =
          "Comma-separated list of scheduler names. Pods with one of these names in"
              + " spec.schedulerName are scheduled. Default: ${DEFAULT-VALUE}.")
  private List<String> names = new ArrayList<>();

  @OptionSection("Serving")
  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      defaultValue = "",
      description =
          "Port of 127.0.0.1 on which /metrics is served; 0 selects any free port. Default:"
              + " metrics are not served.")
  private String metricsPort = "";

  @Option(names = "-v", description = "Log debug messages; -vv also logs messages of libraries.")
  private boolean[] verbosity = {};

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(kubeconfig.mistakes());
    if (!metricsPort.isEmpty()
        && !(metricsPort.matches("[0-9]{1,5}") && Integer.parseInt(metricsPort) <= 65535)) {
      mistakes.add(
          "--metrics-port=%s: must be a number from 0 to 65535 (0 takes any free port)"
              .formatted(metricsPort));
    }
    mistakes.addAll(classes.mistakes());
    if (names.contains("")) {
      mistakes.add("--scheduler-name: must not be empty");
    }
    return mistakes;
  }

  @Override
  public Integer call() throws InterruptedException {
    LogVerbosity.set(verbosity.length);
    int port = metricsPort.isEmpty() ? -1 : Integer.parseInt(metricsPort);
    StandaloneScheduler scheduler =
        StandaloneScheduler.start(
            kubeconfig.path(), new SchedulerProfile(Set.copyOf(names), classes.read()), port);
    String metrics = scheduler.metricsUrl().map(url -> " Metrics: " + url).orElse("");
    ProcessLifetime.untilSignal(
        scheduler,
        spec.commandLine().getOut(),
        "Scheduler of %s is a candidate.%s%n".formatted(scheduler.server(), metrics),
        () -> "Stopping.");
    return 0;
  }
}
