package dev.berth.agent.runtimes.registry;

import static dev.berth.agent.runtimes.registry.TestRegistry.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.PodLookup.NotBound;
import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.ServiceResolution.Bound;
import dev.berth.agent.runtimes.ServiceResolution.Retry;
import dev.berth.agent.runtimes.bindings.PodBinding;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RemovalResult.Refused;
import dev.berth.agent.runtimes.registry.RemovalResult.Removed;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.ThreadDump;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.v1.PodSandboxState;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServiceSetTest {
  @TempDir private Path directory;
  private TestRegistry test;

  @BeforeEach
  void prepare() {
    test = new TestRegistry(directory);
  }

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void aServiceIsAddedWhileTheAgentRuns() throws Exception {
    RuntimeRegistry registry = test.openReady("a");
    test.runtime("b").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);
    test.start("b");

    assertThat(registry.services().add(dropIn("b", "10-b.yaml"))).isEmpty();

    test.awaitHealth("b", "Ready");
    test.awaitRecovery("b");
    assertThat(registry.bind(pod("1"), ""))
        .isInstanceOfSatisfying(
            Bound.class, bound -> assertThat(bound.service().name()).isEqualTo("b"));
    assertThat(registry.snapshot().find("a").orElseThrow().isDefault()).isTrue();
    assertThat(registry.snapshot().find("b").orElseThrow().isDefault()).isFalse();
  }

  @Test
  void namesAndEndpointsStayUnique() throws Exception {
    RuntimeRegistry registry = test.openReady("a");

    assertThat(registry.services().add(dropIn("a", "a.yaml")))
        .contains(
            new Problem(
                "runtime service \"a\" of a.yaml cannot be added",
                "the name belongs to runtime service container:a:%s from configuration"
                    .formatted(test.node.endpoint("a")),
                "Choose another name, or remove the other runtime service first"));
    var sameEndpoint = new RuntimeDeclaration("b", WorkloadType.CONTAINER, test.node.endpoint("a"));
    assertThat(
            registry
                .services()
                .add(new ServiceRegistration(sameEndpoint, new RegistrationOrigin.Configured())))
        .map(Problem::why)
        .contains("the endpoint belongs to runtime service container:a:" + test.node.endpoint("a"));
  }

  @Test
  void theOrderOfFilesDoesNotDependOnWhenTheyCome() throws Exception {
    RuntimeRegistry registry = test.open();
    registry.services().add(dropIn("b", "20-b.yaml"));
    assertThat(registry.snapshot().defaultOf(WorkloadType.CONTAINER))
        .map(RuntimeService::name)
        .contains("b");

    registry.services().add(dropIn("c", "10-c.yaml"));

    assertThat(registry.runtimeServices())
        .extracting(RuntimeEndpoint::name)
        .containsExactly("c", "b");
    assertThat(registry.snapshot().defaultOf(WorkloadType.CONTAINER))
        .map(RuntimeService::name)
        .contains("c");
  }

  @Test
  void aDrainedServiceTakesNoNewPodsAndMakesRoomAsTheDefault() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "b");
    registry.bind(pod("1"), "");

    assertThat(registry.services().drain("a")).isEmpty();

    assertThat(registry.snapshot().find("a").orElseThrow().health())
        .isInstanceOfSatisfying(
            ServiceHealth.Draining.class,
            draining -> assertThat(draining.otherwise().isReady()).isTrue());
    assertThat(registry.bind(pod("1"), "")).isInstanceOf(Bound.class);
    assertThat(registry.bind(pod("2", "a"), "")).isInstanceOf(Retry.class);
    assertThat(registry.bind(pod("3"), ""))
        .isInstanceOfSatisfying(
            Bound.class, bound -> assertThat(bound.service().name()).isEqualTo("b"));
    assertThat(registry.services().resume("a")).isEmpty();
    assertThat(registry.bind(pod("2", "a"), "")).isInstanceOf(Bound.class);
  }

  @Test
  void aDrainOutlivesTheAgent() throws Exception {
    test.openReady("a").services().drain("a");

    RuntimeRegistry registry = test.open("a");

    assertThat(registry.snapshot().find("a").orElseThrow().health().word()).isEqualTo("Draining");
  }

  @Test
  void aServiceWithPodsIsRemovedOnlyByForce() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "b");
    registry.bind(pod("1"), "");

    assertThat(registry.services().remove("a", false))
        .isEqualTo(
            new Refused(
                new Problem(
                    "runtime service \"a\" cannot be removed",
                    "the runtime service has 1 pods",
                    "Drain the runtime service with `berth runtimes drain a`, or abandon its pods with --force")));
    assertThat(registry.snapshot().find("a").orElseThrow().health().isReady()).isTrue();
    RuntimeEndpoint endpoint = registry.runtimeServices().getFirst();

    assertThat(registry.services().remove("a", true))
        .isEqualTo(new Removed(List.of(new PodBinding("1", "a", ""))));

    assertThat(endpoint.health()).isInstanceOf(ServiceHealth.Gone.class);
    assertThat(registry.snapshot().find("a")).isEmpty();
    assertThat(registry.find("1")).isEqualTo(new NotBound());
  }

  @Test
  void anUnknownNameIsToldWithWhatThereIs() throws Exception {
    RuntimeRegistry registry = test.open("a", "b");
    var problem =
        new Problem(
            "runtime service \"c\" cannot be found",
            "no such service is registered on this node (there are: a, b)",
            "List the runtime services with `berth runtimes list`");

    assertThat(registry.services().drain("c")).contains(problem);
    assertThat(registry.services().resume("c")).contains(problem);
    assertThat(registry.services().remove("c", true)).isEqualTo(new Refused(problem));
    assertThat(registry.services().replace(dropIn("c", "c.yaml"))).contains(problem);
  }

  @Test
  void podsOfAServiceThatIsNotRegisteredCanBeGivenUp() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");
    RuntimeRegistry registry = test.open("a");

    assertThat(registry.services().remove("b", false)).isInstanceOf(Refused.class);
    assertThat(registry.services().remove("b", true)).isInstanceOf(Removed.class);

    assertThat(registry.find("1")).isEqualTo(new NotBound());
  }

  @Test
  void aRetiredServiceGoesWithItsLastPod() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "b");
    registry.bind(pod("1", "b"), "");

    registry.services().retire("b");
    assertThat(registry.snapshot().find("b").orElseThrow().health().word()).isEqualTo("Draining");
    registry.release("1");

    assertThat(registry.snapshot().find("b")).isEmpty();
    registry.services().retire("a");
    assertThat(registry.runtimeServices()).isEmpty();
  }

  @Test
  void aServiceCanMoveAndKeepsItsPods() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "b");
    registry.bind(pod("1"), "");
    test.start("elsewhere");
    var moved =
        new RuntimeDeclaration("a", WorkloadType.CONTAINER, test.node.endpoint("elsewhere"));

    assertThat(
            registry
                .services()
                .replace(new ServiceRegistration(moved, new RegistrationOrigin.Configured())))
        .isEmpty();

    test.awaitHealth("a", "Ready");
    assertThat(registry.bind(pod("1"), ""))
        .isInstanceOfSatisfying(
            Bound.class, bound -> assertThat(bound.service()).hasToString(moved.toString()));
    assertThat(registry.runtimeServices())
        .extracting(RuntimeEndpoint::name)
        .containsExactly("a", "b");
    var otherType = new RuntimeDeclaration("a", WorkloadType.VM, test.node.endpoint("elsewhere"));
    assertThat(
            registry
                .services()
                .replace(new ServiceRegistration(otherType, new RegistrationOrigin.Configured())))
        .map(Problem::why)
        .contains(
            "the workload type of a runtime service cannot change while the service has 1 pods");
  }

  @Test
  void followersHearOfEveryLastState() throws Exception {
    RuntimeRegistry registry = test.openReady("a");
    List<RuntimeSnapshot> heard = new CopyOnWriteArrayList<>();
    var stuck = new CountDownLatch(1);
    try (var _ = registry.follow(heard::add);
        var _ = registry.follow(_ -> awaitUninterruptibly(stuck))) {
      Await.until("the present is told", () -> !heard.isEmpty());

      test.node.kill("a");

      test.passTimeUntil(
          "the loss is told",
          () -> heard.getLast().services().getFirst().health().word().equals("NotReady"));
      stuck.countDown();
    }
    int told = heard.size();
    registry.services().drain("a");
    assertThat(heard).hasSize(told);
  }

  @Test
  void oneSickServiceDoesNotDelayTheOthers() throws Exception {
    test.runtime("sick").hangs = true;
    test.start("sick", "a");
    RuntimeRegistry registry = test.open("sick", "a");

    test.awaitHealth("a", "Ready");
    assertThat(registry.bind(pod("1", "a"), "")).isInstanceOf(Bound.class);
  }

  @Test
  void closingLeavesNoThreads() throws Exception {
    test.runtime("b").hangs = true;
    RuntimeRegistry registry = test.openReady("a");
    test.start("b");
    registry.services().add(dropIn("b", "b.yaml"));
    registry.services().add(dropIn("absent", "c.yaml"));
    registry.follow(_ -> {});
    assertThat(runtimeThreads()).contains("runtime-health-a", "runtime-registry-listener");

    registry.close();

    Await.until("no timer is left", () -> test.time.pendingCount() == 0);
    Await.until("all virtual threads have ended", () -> runtimeThreads().isEmpty());
  }

  /// Virtual threads are not listed with the others; the thread dump has them.
  private static Set<String> runtimeThreads() {
    return ThreadDump.virtualThreads().stream()
        .filter(name -> name.startsWith("runtime-"))
        .collect(Collectors.toSet());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private ServiceRegistration dropIn(String name, String file) {
    return new ServiceRegistration(
        test.declaration(name), new RegistrationOrigin.DropIn(Path.of(file)));
  }
}
