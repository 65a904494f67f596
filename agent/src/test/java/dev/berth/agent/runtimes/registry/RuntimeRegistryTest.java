package dev.berth.agent.runtimes.registry;

import static dev.berth.agent.runtimes.registry.TestRegistry.pod;
import static dev.berth.agent.runtimes.registry.TestRegistry.startedPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.PodLookup.Found;
import dev.berth.agent.runtimes.PodLookup.Gone;
import dev.berth.agent.runtimes.PodLookup.NotBound;
import dev.berth.agent.runtimes.PodLookup.Unknown;
import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.ServiceResolution;
import dev.berth.agent.runtimes.ServiceResolution.Bound;
import dev.berth.agent.runtimes.ServiceResolution.Rejected;
import dev.berth.agent.runtimes.ServiceResolution.Retry;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.api.Problem;
import dev.berth.cri.v1.PodSandboxState;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RuntimeRegistryTest {
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
  void aPodIsBoundOnceAndFoundByItsId() throws Exception {
    test.runtime("b").withHandlers("kata");
    RuntimeRegistry registry = test.openReady("a", "b", "v");

    assertThat(serviceOf(registry.bind(pod("1"), ""))).isEqualTo("a");
    assertThat(serviceOf(registry.bind(pod("2"), "kata"))).isEqualTo("b");
    assertThat(serviceOf(registry.bind(pod("1"), "kata"))).isEqualTo("a");
    assertThat(registry.bind(pod("3", "nowhere"), "")).isInstanceOf(Rejected.class);
    assertThat(registry.find("2"))
        .isInstanceOfSatisfying(
            Found.class,
            found -> {
              assertThat(found.service().name()).isEqualTo("b");
              assertThat(found.handler()).isEqualTo("kata");
            });
    assertThat(registry.find("3")).isEqualTo(new NotBound());
    registry.release("1");
    assertThat(registry.find("1")).isEqualTo(new NotBound());
  }

  @Test
  void thePodStaysWithItsServiceWhileThatIsAway() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "b");
    registry.bind(pod("1"), "");
    test.node.kill("a");
    test.awaitHealth("a", "NotReady");

    assertThat(serviceOf(registry.bind(pod("1"), ""))).isEqualTo("a");
    assertThat(registry.find("1")).isInstanceOf(Found.class);
    assertThat(registry.bind(pod("2"), "")).isInstanceOf(Retry.class);
    assertThat(serviceOf(registry.bind(pod("3", "b"), ""))).isEqualTo("b");
    test.start("a");
    test.awaitHealth("a", "Ready");
    assertThat(serviceOf(registry.bind(pod("2"), ""))).isEqualTo("a");
  }

  @Test
  void bindingsOutliveTheAgentWhileTheServiceIsAway() throws Exception {
    test.openReady("a", "b").bind(pod("1"), "");
    test.node.kill("a");

    RuntimeRegistry registry = test.open("b", "a");

    assertThat(serviceOf(registry.bind(startedPod("1"), ""))).isEqualTo("a");
  }

  @Test
  void podsAreFoundAgainWithoutARecord() throws Exception {
    test.runtime("b").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);

    RuntimeRegistry registry = test.openReady("a", "b");

    assertThat(serviceOf(registry.bind(startedPod("1"), ""))).isEqualTo("b");
  }

  @Test
  void aServiceThatDoesNotAnswerIsUnknownAndNotEmpty() throws Exception {
    test.runtime("b").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);
    test.start("a");
    RuntimeRegistry registry = test.open("a", "b");
    test.awaitHealth("a", "Ready");
    test.awaitRecovery("a");

    assertThat(registry.find("1")).isInstanceOf(Unknown.class);
    assertThat(registry.bind(startedPod("1"), ""))
        .isInstanceOfSatisfying(
            Retry.class,
            retry ->
                assertThat(retry.problem())
                    .hasToString(
                        "the runtime service of pod test/1 is unknown: the record of bindings is new"
                            + " or damaged, and runtime services that may run the pod have not"
                            + " answered yet: b. Start these runtime services, or remove them with"
                            + " `berth runtimes remove`"));
    // What never started is not held up.
    assertThat(serviceOf(registry.bind(pod("2"), ""))).isEqualTo("a");

    test.start("b");
    test.awaitRecovery("b");
    assertThat(serviceOf(registry.bind(startedPod("1"), ""))).isEqualTo("b");
  }

  @Test
  void aListThatFailsIsAskedForAgain() throws Exception {
    test.runtime("a").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);
    test.runtime("a").listFailure = Status.INTERNAL;
    test.start("a");
    RuntimeRegistry registry = test.open("a");
    test.awaitHealth("a", "Ready");
    assertThat(registry.find("1")).isInstanceOf(Unknown.class);

    test.runtime("a").listFailure = null;

    test.awaitRecovery("a");
    assertThat(registry.find("1")).isInstanceOf(Found.class);
  }

  @Test
  void aDamagedRecordIsMadeWholeByTheServices() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");
    test.runtime("b").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);
    Files.writeString(directory.resolve("bindings"), "damage");

    RuntimeRegistry registry = test.open("a", "b");
    test.awaitRecovery("b");

    assertThat(serviceOf(registry.bind(startedPod("1"), ""))).isEqualTo("b");
  }

  @Test
  void twoClaimsOnAPodAreReported() throws Exception {
    test.runtime("a").withSandbox("1", PodSandboxState.SANDBOX_NOTREADY, 1);
    test.runtime("b").withSandbox("1", PodSandboxState.SANDBOX_READY, 2);

    RuntimeRegistry registry = test.openReady("a", "b");

    assertThat(serviceOf(registry.bind(startedPod("1"), ""))).isEqualTo("b");
    test.passTimeUntil("it is told", () -> !registry.snapshot().problems().isEmpty());
    assertThat(registry.snapshot().problems().getFirst().why())
        .isEqualTo("it belongs to b, and a (sandbox sandbox-of-1) has it too");
  }

  @Test
  void aPodOfAServiceThatIsNoLongerRegisteredIsOutOfReach() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");

    RuntimeRegistry registry = test.open("a");

    assertThat(registry.find("1")).isInstanceOf(Unknown.class);
    assertThat(registry.bind(startedPod("1"), ""))
        .isInstanceOfSatisfying(
            Retry.class,
            retry ->
                assertThat(retry.problem().why())
                    .isEqualTo(
                        "the pod is bound to runtime service \"b\", which is not registered"));
  }

  @Test
  void aServiceThatNobodyRegistersAnyMoreIsGoneAfterAWhile() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");

    RuntimeRegistry registry = test.open("a");
    test.awaitRecovery("a");
    assertThat(registry.find("1")).isInstanceOf(Unknown.class);

    test.time.advance(Duration.ofSeconds(30));
    assertThat(registry.find("1")).isEqualTo(new Gone("b"));
    assertThat(registry.boundPods()).containsExactly("1");

    registry
        .services()
        .add(new ServiceRegistration(test.declaration("b"), new RegistrationOrigin.Configured()));
    assertThat(registry.find("1")).isInstanceOf(Found.class);
  }

  @Test
  void aServiceThatIsRegisteredAndSilentIsNeverGone() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");
    test.node.kill("b");

    RuntimeRegistry registry = test.open("a", "b");
    test.awaitRecovery("a");
    test.time.advance(Duration.ofHours(1));

    assertThat(registry.find("1")).isInstanceOf(Found.class);
  }

  @Test
  void nobodyIsGoneWhileASilentServiceMayHaveItsPods() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");
    test.node.kill("a");

    RuntimeRegistry registry = test.open("a");
    test.time.advance(Duration.ofHours(1));

    assertThat(registry.find("1")).isInstanceOf(Unknown.class);
  }

  @Test
  void nobodyIsGoneWhileAFileCannotBeUsed() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");

    RuntimeRegistry registry = test.open("a");
    registry.services().report(List.of(new Problem("b.yaml cannot be used", "no endpoint", "")));
    test.awaitRecovery("a");
    test.time.advance(Duration.ofHours(1));
    assertThat(registry.find("1")).isInstanceOf(Unknown.class);

    registry.services().report(List.of());
    assertThat(registry.find("1")).isEqualTo(new Gone("b"));
  }

  @Test
  void nobodyIsGoneBecauseTheAgentEnds() throws Exception {
    RuntimeRegistry registry = test.openReady("a");
    registry.bind(pod("1", "a"), "");
    test.time.advance(Duration.ofHours(1));

    registry.close();

    assertThat(registry.find("1")).isInstanceOf(Unknown.class);
  }

  @Test
  void aPodFollowsItsServiceToANewName() throws Exception {
    test.openReady("a", "b").bind(pod("1", "b"), "");
    test.runtime("c").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);

    test.start("c");
    RuntimeRegistry registry = test.open("a", "c");
    test.awaitRecovery("a");
    test.awaitRecovery("c");

    assertThat(serviceOf(registry.bind(startedPod("1"), ""))).isEqualTo("c");
  }

  @Test
  void sandboxesOfOthersAreNobodysPodsHere() throws Exception {
    test.start("a");
    test.runtime("a")
        .withSandbox("mine", madeBy("node-1", "here"))
        .withSandbox("of-an-earlier-agent", madeBy("node-1", ""))
        .withSandbox("of-an-earlier-agent-elsewhere", madeBy("node-1", ""))
        .withSandbox("theirs", madeBy("node-2", "here"))
        .withSandbox("of-another-cluster", madeBy("node-1", "elsewhere"))
        .withSandbox("kubelets", PodSandboxState.SANDBOX_READY, 1);

    Files.createDirectories(directory.resolve("pods/of-an-earlier-agent"));

    RuntimeRegistry registry = test.openAs(madeBy("node-1", "here"), "a");
    test.awaitRecovery("a");

    assertThat(registry.boundPods()).containsExactlyInAnyOrder("mine", "of-an-earlier-agent");
    assertThat(registry.bindings().count("a")).isEqualTo(2);
  }

  private OwnSandboxes madeBy(String node, String cluster) {
    return new OwnSandboxes(node, cluster, directory.resolve("pods"));
  }

  @Test
  void withoutADiskAPodWaits() throws Exception {
    RuntimeRegistry registry = test.openReady("a");
    registry.bindings().close();

    assertThat(registry.bind(pod("1"), "")).isInstanceOf(Retry.class);
    assertThat(registry.find("1")).isEqualTo(new NotBound());
  }

  @Test
  void servicesAreAskedAndListed() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "v");

    assertThat(registry.runtimeServices())
        .extracting(RuntimeEndpoint::name)
        .containsExactly("a", "v");
    assertThat(registry.imageServices()).extracting(ImageService::name).containsExactly("a", "v");
    RuntimeEndpoint a = registry.runtimeServices().getFirst();
    assertThat(a.version()).isEqualTo(new RuntimeVersion("fake", "1.0", "v1"));
    assertThat(a.typedVersion().getVersion()).isEqualTo("0.1.0");
    assertThat(a.status().isNetworkReady()).isTrue();
    registry.bind(pod("1"), "");
    assertThat(registry.imageServiceOf("1")).contains(a.imageService());
    assertThat(registry.imageServiceOf("2")).isEmpty();
    assertThat(registry.snapshot().services())
        .extracting(RuntimeService::isDefault)
        .isEqualTo(List.of(true, true));
  }

  @Test
  void manyThreadsBindManyPodsEachOnce() throws Exception {
    RuntimeRegistry registry = test.openReady("a", "b");
    List<Thread> threads =
        java.util.stream.IntStream.range(0, 100)
            .mapToObj(
                i ->
                    Thread.ofVirtual()
                        .start(() -> registry.bind(pod("pod-" + i % 50, i < 50 ? "a" : "b"), "")))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(registry.bindings().count("a") + registry.bindings().count("b")).isEqualTo(50);
    RuntimeRegistry again = test.open("a", "b");
    for (int i = 0; i < 50; i++) {
      assertThat(again.find("pod-" + i)).isInstanceOf(Found.class);
    }
  }

  private static String serviceOf(ServiceResolution resolution) {
    return resolution instanceof Bound(var service, _) ? service.name() : resolution.toString();
  }

  @Test
  void aPodBeingFoundAgainIsNeverTakenForUnbound() throws Exception {
    test.start("a");
    test.runtime("a").withSandbox("1", PodSandboxState.SANDBOX_READY, 1);
    for (int round = 0; round < 300; round++) {
      RuntimeRegistry registry = test.open("a");
      PodLookup seen = registry.find("1");
      while (seen instanceof Unknown) {
        seen = registry.find("1");
      }
      assertThat(seen).as("round %d", round).isInstanceOf(Found.class);
      registry.close();
      Files.deleteIfExists(directory.resolve("bindings"));
    }
  }
}
