package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.ServiceResolution;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.pods.WorkloadType;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxState;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two containerds of Debian, one with runc and one with crun, as two endpoints of one registry.
class TwoContainerdsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private final CriTransport transport = new CriTransport();
  private final DelayedActions delays = DelayedActions.realTime();
  private ContainerdProcess runc;
  private ContainerdProcess crun;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.CRUN));
    runc = ContainerdProcess.start(directory.resolve("r"), LowLevelRuntime.RUNC);
    crun = ContainerdProcess.start(directory.resolve("c"), LowLevelRuntime.CRUN);
  }

  @AfterEach
  void stop() {
    delays.close();
    transport.close();
    if (crun != null) {
      crun.close();
    }
    if (runc != null) {
      runc.close();
    }
  }

  @Test
  void theHandlerFindsItsServiceAndAKillTouchesNothingElse() throws IOException {
    try (RuntimeRegistry registry = open("first")) {
      awaitReady(registry, "runc", "crun");
      RuntimeEndpoint ofFirst = bind(registry, "1", "runc");
      RuntimeEndpoint ofSecond = bind(registry, "2", "crun");
      assertThat(ofFirst.name()).isEqualTo("runc");
      assertThat(ofSecond.name()).isEqualTo("crun");
      ofFirst.runtime().runPodSandbox(sandbox("1"), "runc");
      ofSecond.runtime().runPodSandbox(sandbox("2"), "crun");

      runc.kill();

      await("the loss is seen", () -> !isReady(registry, "runc"));
      assertThat(isReady(registry, "crun")).isTrue();
      assertThat(registry.find("1")).isInstanceOf(PodLookup.Found.class);
      assertThat(registry.bind(pod("1"), "runc")).isInstanceOf(ServiceResolution.Bound.class);
      assertThat(registry.bind(pod("3"), "runc")).isInstanceOf(ServiceResolution.Retry.class);
      assertThat(running(ofSecond)).containsExactly("2");

      runc.restart();

      await("the return is seen", () -> isReady(registry, "runc"));
      assertThat(running(ofFirst)).containsExactly("1");
      assertThat(running(ofSecond)).containsExactly("2");
    }
  }

  @Test
  void aNewAgentFindsThePodsOfBothAgainWhoeverAnswersFirst() throws IOException {
    try (RuntimeRegistry registry = open("first")) {
      awaitReady(registry, "runc", "crun");
      bind(registry, "1", "runc").runtime().runPodSandbox(sandbox("1"), "runc");
      bind(registry, "2", "crun").runtime().runPodSandbox(sandbox("2"), "crun");
    }
    crun.kill();

    // A directory of its own: nothing is recorded, only the runtimes know.
    try (RuntimeRegistry registry = open("second")) {
      awaitReady(registry, "runc");
      await("runc told its pods", () -> registry.bindings().hasAnswered("runc"));
      assertThat(registry.find("1")).isInstanceOf(PodLookup.Found.class);
      assertThat(registry.find("2")).isInstanceOf(PodLookup.Unknown.class);

      crun.restart();

      await("crun told its pods", () -> registry.bindings().hasAnswered("crun"));
      assertThat(registry.find("2"))
          .isInstanceOfSatisfying(
              PodLookup.Found.class, found -> assertThat(found.service().name()).isEqualTo("crun"));
    }
  }

  private RuntimeRegistry open(String record) throws IOException {
    var metrics = new CriMetrics(new PrometheusRegistry());
    var channels = new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());
    return RuntimeRegistry.open(
        directory.resolve(record),
        ServiceRegistration.configured(
            List.of(declaration("runc", runc), declaration("crun", crun))),
        new RegistryContext(
            channels, metrics, HealthTimings.STANDARD, delays, InstantSource.system()));
  }

  private static RuntimeDeclaration declaration(String name, ContainerdProcess containerd) {
    return new RuntimeDeclaration(
        name, WorkloadType.CONTAINER, new UnixSocket(containerd.socket()));
  }

  private static RuntimeEndpoint bind(RuntimeRegistry registry, String uid, String handler) {
    return registry.bind(pod(uid), handler) instanceof ServiceResolution.Bound(var service, _)
        ? service
        : fail(registry, uid, handler);
  }

  private static RuntimeEndpoint fail(RuntimeRegistry registry, String uid, String handler) {
    throw new AssertionError(registry.bind(pod(uid), handler) + " of " + registry.snapshot());
  }

  private static PodRequest pod(String uid) {
    return new PodRequest(uid, "test/" + uid, WorkloadType.CONTAINER, null, false, false);
  }

  private static PodSandboxConfig sandbox(String uid) {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder().setName("p" + uid).setNamespace("test").setUid(uid))
        .setLinux(LinuxPodSandboxConfig.getDefaultInstance())
        .build();
  }

  private static List<String> running(RuntimeEndpoint service) {
    return service.runtime().listPodSandboxes(PodSandboxFilter.getDefaultInstance()).stream()
        .filter(sandbox -> sandbox.getState() == PodSandboxState.SANDBOX_READY)
        .map(sandbox -> sandbox.getMetadata().getUid())
        .toList();
  }

  private static void awaitReady(RuntimeRegistry registry, String... names) {
    for (String name : names) {
      await(name + " is ready", () -> isReady(registry, name));
    }
  }

  private static boolean isReady(RuntimeRegistry registry, String name) {
    return registry.snapshot().find(name).orElseThrow().health().isReady();
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
