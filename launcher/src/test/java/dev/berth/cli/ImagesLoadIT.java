package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.admin.NodeRuntimes;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.config.ConfigErrors;
import dev.berth.sim.config.ConfigReader;
import dev.berth.sim.config.ConfigYaml;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth images load` with services that call themselves containerd and take no archives.
final class ImagesLoadIT {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aServiceThatTakesNoImagesKeepsThemFromNoOther() throws Exception {
    var metrics = new CriMetrics(new PrometheusRegistry());
    Path archive = Files.writeString(directory.resolve("images.tar"), "no archive");
    try (SimContext world = new SimContext(Clock.systemUTC(), new Random());
        Simulator _ = simulator("one", world);
        Simulator _ = simulator("other", world);
        DelayedActions delays = DelayedActions.realTime();
        CriTransport transport = new CriTransport();
        NodeRuntimes runtimes =
            NodeRuntimes.start(
                Places.below(directory.resolve("agent")),
                List.of(declaration("one"), declaration("other")),
                new RegistryContext(
                    new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop()),
                    metrics,
                    HealthTimings.STANDARD,
                    delays,
                    Clock.systemUTC()))) {
      awaitReady(runtimes);

      assertThat(run("load", archive.toString())).isEqualTo(1);
    }

    assertThat(err.toString().lines().filter(line -> line.startsWith("berth: ")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("berth: one: the images of " + archive),
            line -> assertThat(line).startsWith("berth: other: the images of " + archive));
  }

  private Path socket(String name) {
    return directory.resolve(name + ".sock");
  }

  private RuntimeDeclaration declaration(String name) {
    return new RuntimeDeclaration(
        name, WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(socket(name)));
  }

  private Simulator simulator(String name, SimContext world) {
    ConfigErrors mistakes = new ConfigErrors();
    String yaml =
        "{name: %s, endpoint: 'unix://%s', runtimeName: containerd}".formatted(name, socket(name));
    return Simulator.start(
        new ConfigReader(mistakes).read(ConfigYaml.read(yaml, mistakes)).getFirst(), world);
  }

  private static void awaitReady(NodeRuntimes runtimes) {
    long end = System.nanoTime() + 180_000_000_000L;
    while (System.nanoTime() < end
        && !runtimes.registry().snapshot().services().stream()
            .allMatch(service -> service.health().isReady())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private int run(String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "images";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--data-dir";
    all[args.length + 2] = directory.toString();
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }
}
