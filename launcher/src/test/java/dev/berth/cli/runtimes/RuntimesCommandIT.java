package dev.berth.cli.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.admin.NodeRuntimes;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cli.Main;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `berth runtimes` against an agent's registry in this process, whose runtimes are all absent.
final class RuntimesCommandIT {
  @TempDir private Path directory;
  private final CriTransport transport = new CriTransport();
  private final DelayedActions delays = DelayedActions.realTime();
  private NodeRuntimes runtimes;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    var metrics = new CriMetrics(new PrometheusRegistry());
    var channels = new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());
    runtimes =
        NodeRuntimes.start(
            Places.below(directory.resolve("agent")),
            List.of(
                new RuntimeDeclaration(
                    "containerd",
                    WorkloadType.CONTAINER,
                    CriEndpoint.parse("inprocess://nothing"))),
            new RegistryContext(
                channels, metrics, HealthTimings.STANDARD, delays, Clock.systemUTC()));
  }

  @AfterEach
  void close() {
    runtimes.close();
    delays.close();
    transport.close();
  }

  @Test
  void servicesAreAddedListedDrainedAndRemoved() {
    assertThat(run("add", "vm:qemu:unix:///run/none.sock", "--handler", "q35")).isZero();
    assertThat(out.toString())
        .startsWith(
            "runtime service \"qemu\" is added, and is not ready: unix:///run/none.sock does")
        .contains("wait for that with --wait");
    assertThat(run("drain", "qemu")).isZero();
    assertThat(out).hasToString("runtime service \"qemu\" is drained: it has no pods\n");
    assertThat(run("list")).isZero();
    assertThat(out.toString().lines())
        .anyMatch(
            line ->
                line.matches("NAME +TYPE +DEFAULT +HEALTH +SINCE +PODS +VERSION +HANDLERS +REASON"))
        .anyMatch(line -> line.matches("containerd +container +yes +(NotReady|Connecting) +.*"))
        .anyMatch(line -> line.matches("qemu +vm +yes +Draining +\\d+s +0.*"));
    assertThat(run("drain", "qemu", "--undo")).isZero();
    assertThat(run("remove", "qemu")).isZero();
    assertThat(out).hasToString("runtime service \"qemu\" is removed\n");
    assertThat(run("list")).isZero();
    assertThat(out.toString()).doesNotContain("qemu");
  }

  @Test
  void otherFormatsHoldEverything() {
    assertThat(run("list", "-o", "wide")).isZero();
    assertThat(out.toString()).contains("ENDPOINT", "inprocess://nothing", "configuration");
    assertThat(run("list", "-o", "json")).isZero();
    assertThat(out.toString()).contains("\"name\" : \"containerd\"", "\"problems\" : [ ]");
    assertThat(run("list", "-o", "yaml")).isZero();
    assertThat(out.toString()).contains("- name: containerd\n", "workloadType: container\n");
    assertThat(run("list", "-o", "xml")).isEqualTo(2);
    assertThat(err.toString()).contains("--output=xml: must be wide, json or yaml");
  }

  @Test
  void refusalsSayWhyAndWhatToDo() {
    assertThat(run("add", "pod:default:x")).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(3).allMatch(line -> line.startsWith("berth: "));
    assertThat(run("remove", "crio")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "berth: runtime service \"crio\" cannot be found: no such service is registered on this"
                + " node (there are: containerd). List the runtime services with `berth runtimes list`\n");
    assertThat(run("add", "crio")).isEqualTo(2);
    assertThat(err.toString()).contains("TYPE:NAME:URL=crio: must have three fields");
    assertThat(run("drain", "containerd", "--timeout", "soon")).isEqualTo(2);
    assertThat(err.toString()).contains("--timeout=soon: must be a time such as 30s, 10m or 2h");
  }

  @Test
  void withoutAnAgentThereIsAnAnswerToo() {
    runtimes.close();

    assertThat(run("list")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("berth: the agent at ")
        .endsWith("Start the agent as this user, or name its data directory with --data-dir\n");
  }

  @Test
  void brokenFilesAreWarnedAbout() throws Exception {
    Path file = Places.below(directory.resolve("agent")).dropIns().resolve("x.yaml");
    java.nio.file.Files.writeString(file, "nonsense");
    long end = System.nanoTime() + 180_000_000_000L;
    while (runtimes.registry().snapshot().problems().isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }

    assertThat(run("list")).isZero();
    assertThat(err.toString()).startsWith("Warning: " + file + " cannot be used: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "add", "drain", "remove"})
  void everyCommandHasHelpWithAnExample(String command) {
    out = new StringWriter();
    assertThat(
            Main.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                "runtimes",
                command,
                "--help"))
        .isZero();
    assertThat(out.toString())
        .startsWith("Usage: berth runtimes " + command)
        .contains("Examples:", "  berth runtimes " + command);
  }

  private int run(String... args) {
    out = new StringWriter();
    err = new StringWriter();
    String[] all = new String[args.length + 3];
    all[0] = "runtimes";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--data-dir";
    all[args.length + 2] = directory.toString();
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }
}
