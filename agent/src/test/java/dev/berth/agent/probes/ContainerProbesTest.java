package dev.berth.agent.probes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;
import dev.berth.agent.probes.ProbeWorkers.Subject;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContainerProbesTest {
  private static final String ID = "0123";

  @TempDir private Path directory;
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(STARTED);
  private final ProbeMetrics metrics = new ProbeMetrics();
  private final ContainerProbes probes = new ContainerProbes(time, time, metrics);
  private final FakeNode node = new FakeNode();
  private final ExecRuntime runtime = new ExecRuntime();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private RuntimeRegistry registry;
  private HttpServer server;
  private volatile int code = 200;

  /// Answers every command with an exit code.
  private static final class ExecRuntime extends RuntimeServiceGrpc.RuntimeServiceImplBase {
    final AtomicInteger calls = new AtomicInteger();
    volatile int exitCode;
    volatile String output = "no such file\n";

    @Override
    public void execSync(ExecSyncRequest request, StreamObserver<ExecSyncResponse> replies) {
      calls.incrementAndGet();
      if (request.getCmd(0).equals("none")) {
        replies.onError(Status.UNKNOWN.withDescription("none: not found").asRuntimeException());
        return;
      }
      replies.onNext(
          ExecSyncResponse.newBuilder()
              .setExitCode(exitCode)
              .setStderr(ByteString.copyFromUtf8(output))
              .build());
      replies.onCompleted();
    }
  }

  @BeforeEach
  void start() throws Exception {
    node.start("r", runtime);
    registry =
        RuntimeRegistry.open(
            directory,
            ServiceRegistration.configured(
                List.of(new RuntimeDeclaration("r", WorkloadType.CONTAINER, node.endpoint("r")))),
            new RegistryContext(node.channels, node.metrics, HealthTimings.STANDARD, time, time));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "<a>Found</a>.".getBytes(UTF_8);
          exchange.sendResponseHeaders(code, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    probes.close();
    server.stop(0);
    registry.close();
    node.close();
  }

  @Test
  void aContainerIsReadyWhenItAnswersAndNotWhenItFailsTooOften() {
    follow("readinessProbe: {httpGet: {port: web}, periodSeconds: 5, failureThreshold: 2}", "");
    assertThat(verdict()).isEqualTo(new Verdict(true, false, true));

    await("ready", new Verdict(true, true, true));

    code = 500;
    await("unready", new Verdict(true, false, true));
    List<String> news =
        List.of("changed", "Readiness probe failed: HTTP probe failed with statuscode: 500");
    Await.until("that is told", () -> told.containsAll(news));
  }

  @Test
  void aContainerThatSendsProbesElsewhereIsReadyAndThatIsTold() {
    code = 302;
    follow("readinessProbe: {httpGet: {port: web}, periodSeconds: 5}", "");

    await("ready", new Verdict(true, true, true));
    Await.until(
        "that is told",
        () ->
            told.contains(
                "Readiness probe warning: Probe terminated redirects, Response body:"
                    + " <a>Found</a>."));
  }

  @Test
  void nothingElseIsProbedBeforeTheContainerHasStarted() {
    runtime.exitCode = 1;
    follow(
        """
        startupProbe: {exec: {command: [test]}, periodSeconds: 1, failureThreshold: 1000}
            readinessProbe: {tcpSocket: {port: web}}""",
        "");
    Await.until(
        "the startup probe failed",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return told.contains("Startup probe failed: no such file");
        });
    assertThat(verdict()).isEqualTo(new Verdict(false, false, true));

    runtime.exitCode = 0;

    await("ready", new Verdict(true, true, true));
  }

  @Test
  void probesAreCountedAsLongAsTheNodeHasThePod() {
    runtime.exitCode = 1;
    follow("livenessProbe: {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 2}", "");
    await("dead", new Verdict(true, true, false));
    probes.forget(ID);
    runtime.exitCode = 0;
    follow(
        """
        startupProbe: {exec: {command: [x]}}
            readinessProbe: {exec: {command: [x]}}""",
        "");
    await("ready", new Verdict(true, true, true));

    assertThat(new String(metrics.text(List.of("uid-1")), StandardCharsets.UTF_8))
        .contains(
            "prober_probe_total{container=\"c\",namespace=\"n\",pod=\"p\",pod_uid=\"uid-1\",probe_type=\"Liveness\",result=\"failed\"} 2.0",
            "prober_probe_total{container=\"c\",namespace=\"n\",pod=\"p\",pod_uid=\"uid-1\",probe_type=\"Readiness\",result=\"successful\"}",
            "prober_probe_duration_seconds_bucket{container=\"c\",namespace=\"n\",pod=\"p\",probe_type=\"Readiness\",le=\"0.005\"}")
        .doesNotContain(
            "prober_probe_duration_seconds_count{container=\"c\",namespace=\"n\",pod=\"p\",probe_type=\"Liveness\"}");
    assertThat(new String(metrics.text(List.of("uid-2")), StandardCharsets.UTF_8))
        .doesNotContain("pod=\"p\"");
  }

  @Test
  void aContainerThatNeverStartsOrDiesIsNotAlive() {
    runtime.exitCode = 1;
    follow("startupProbe: {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 2}", "");
    await("given up", new Verdict(false, false, false));
    probes.forget(ID);

    follow("livenessProbe: {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 2}", "");
    await("dead", new Verdict(true, true, false));
  }

  @ParameterizedTest
  @CsvSource({"startupProbe, Startup", "livenessProbe, Liveness"})
  void aContainerThatIsGoingToBeKilledIsNotProbedAgain(String kind, String word) {
    runtime.exitCode = 1;
    follow(kind + ": {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 2}", "");
    Await.until(
        "its end is told",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return told.contains("changed");
        });
    runtime.exitCode = 0;

    for (int i = 0; i < 20; i++) {
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(runtime.calls).hasValue(2);
    String failure = word + " probe failed: no such file";
    assertThat(told).containsExactly(failure, failure, "changed");
    assertThat(verdict().isAlive()).isFalse();
  }

  @Test
  void ofAPodThatEndsOnlyReadinessIsProbed() {
    follow(
        """
        livenessProbe: {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 1}
            readinessProbe: {httpGet: {port: web}, periodSeconds: 1, failureThreshold: 1}""",
        "");
    await("ready", Verdict.UNPROBED);

    probes.stopping(ID);
    runtime.exitCode = 1;
    code = 500;

    await("unready, but alive", new Verdict(true, false, true));
    code = 200;
    await("ready again", Verdict.UNPROBED);
    assertThat(told).noneMatch(one -> one.startsWith("Liveness"));
  }

  @Test
  void aRuntimeThatDoesNotAnswerSaysNothingAboutItsContainers() {
    follow("livenessProbe: {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 1}", "");
    node.kill("r");

    time.advance(Duration.ofSeconds(30));

    assertThat(verdict()).isEqualTo(Verdict.UNPROBED);
    assertThat(told).isEmpty();
    node.start("r", runtime);
  }

  @Test
  void ofACommandThatSaysNothingNothingIsTold() {
    runtime.exitCode = 1;
    runtime.output = "";
    follow("livenessProbe: {exec: {command: [x]}, periodSeconds: 1, failureThreshold: 9}", "");

    Await.until(
        "users are told",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return told.contains("Liveness probe failed: ");
        });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "exec: {command: [none]}; rpc error: code = Unknown desc = none: not found",
        "tcpSocket: {port: typo}; container \"c\" has no port named \"typo\"",
      })
  void aProbeThatCannotBeMadeIsToldAndRestartsNothing(String probe, String why) {
    follow("livenessProbe: {%s, periodSeconds: 1, failureThreshold: 1}".formatted(probe), "");

    Await.until(
        "users are told",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return told.contains("Liveness probe errored and resulted in unknown state: " + why);
        });
    assertThat(verdict()).isEqualTo(Verdict.UNPROBED);
  }

  @Test
  void whatAnEarlierAgentFoundIsBelieved() {
    follow(
        "readinessProbe: {exec: {command: [x]}, initialDelaySeconds: 600}",
        """
        status:
          containerStatuses:
          - {name: c, containerID: "containerd://0123", ready: true, started: true}
        """);

    assertThat(verdict()).isEqualTo(new Verdict(true, true, true));
    probes.forget(ID);
    assertThat(verdict()).isEqualTo(Verdict.UNPROBED);
  }

  @Test
  void theInitialDelayCountsFromTheStartOfTheContainer() {
    time.advance(Duration.ofSeconds(20));

    follow("readinessProbe: {httpGet: {port: web}, initialDelaySeconds: 20}", "");

    Await.until(
        "it is ready without further delay",
        () -> {
          time.advance(Duration.ZERO);
          return verdict().ready();
        });
  }

  @Test
  void theInitialDelayIsWaitedForAfterAStartupProbeToo() {
    follow(
        """
        startupProbe: {exec: {command: [x]}}
            livenessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: 60, failureThreshold: 1}""",
        "");

    await("dead", new Verdict(true, true, false));

    assertThat(time.instant()).isAfterOrEqualTo(STARTED.plusSeconds(60));
  }

  @Test
  void aDelayThatIsOverWhenTheContainerHasStartedDelaysNothing() {
    follow(
        """
        startupProbe: {exec: {command: [x]}, initialDelaySeconds: 20}
            livenessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: 5, failureThreshold: 1}""",
        "");
    time.advance(Duration.ofSeconds(20));

    Await.until(
        "it is probed at once",
        () -> {
          time.advance(Duration.ZERO);
          return !verdict().isAlive();
        });
  }

  private void follow(String fields, String status) {
    Pod pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: n, uid: uid-1}
            spec:
              containers:
              - name: c
                ports: [{name: web, containerPort: %d}]
                %s
            %s"""
                .formatted(server.getAddress().getPort(), fields, status),
            Pod.class);
    probes.follow(
        new Subject(
            pod,
            pod.getSpec().getContainers().getFirst(),
            ID,
            STARTED,
            List.of("127.0.0.1"),
            registry.runtimeServices().getFirst()),
        new ProbeWorkers.ProbeListener() {
          @Override
          public void changed() {
            told.add("changed");
          }

          @Override
          public void failed(String what) {
            told.add(what);
          }

          @Override
          public void doubted(String what) {
            told.add(what);
          }
        });
  }

  private Verdict verdict() {
    return probes.verdict(ID);
  }

  private void await(String what, Verdict expected) {
    Await.until(
        "the container is " + what,
        () -> {
          time.advance(Duration.ofSeconds(1));
          return verdict().equals(expected);
        });
  }
}
