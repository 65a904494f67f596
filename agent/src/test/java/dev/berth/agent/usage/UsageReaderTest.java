package dev.berth.agent.usage;

import static dev.berth.cri.v1.ContainerState.CONTAINER_EXITED;
import static dev.berth.cri.v1.ContainerState.CONTAINER_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.agent.runtimes.testing.FakeRuntime;
import dev.berth.agent.usage.UsageReader.Everything;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.DelayedActions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsageReaderTest {
  /// So long is waited for a service that does not answer.
  private static final Duration ONE_WAIT = Duration.ofSeconds(3);

  private final FakeNode node = new FakeNode();
  private final FakeRuntime runtime = new FakeRuntime();
  private final DelayedActions delays = DelayedActions.realTime();
  private RuntimeRegistry registry;
  private UsageReader reader;
  @TempDir private Path directory;

  @BeforeEach
  void start() throws IOException {
    node.start("one", runtime);
    registry =
        RuntimeRegistry.open(
            directory,
            ServiceRegistration.configured(
                Stream.of("one", "away").map(this::declaration).toList()),
            new RegistryContext(
                node.channels,
                node.metrics,
                HealthTimings.STANDARD,
                delays,
                InstantSource.system()));
    reader =
        new UsageReader(
            "n1", registry, () -> ResourceUsage.NONE, InstantSource.fixed(Instant.EPOCH));
    Await.until(
        "both are known", () -> health("one").equals("Ready") && health("away").equals("NotReady"));
    Stream.of("u1", "u2")
        .forEach(
            uid ->
                registry.bind(
                    new PodRequest(
                        uid, "default/" + uid, WorkloadType.CONTAINER, "one", false, false),
                    ""));
  }

  @AfterEach
  void close() {
    registry.close();
    delays.close();
    node.close();
  }

  @Test
  void onlyTheNewestInstanceThatRunsIsCounted() {
    runtime
        .withContainer("a", "u1", "init", CONTAINER_EXITED, 1, 10)
        .withContainer("b", "u1", "main", CONTAINER_EXITED, 2, 20)
        .withContainer("c", "u1", "main", CONTAINER_RUNNING, 3, 30)
        .withContainer("d", "u1", "main", CONTAINER_RUNNING, 4, 40)
        .withContainer("e", "u2", "main", CONTAINER_EXITED, 5, 50);

    NodeUsage usage = reader.read();

    assertThat(usage.containers())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.container()).isEqualTo("main");
              assertThat(one.use().cpu()).isEqualTo(40);
              assertThat(one.madeAt()).isEqualTo(Instant.ofEpochSecond(0, 4));
            });
  }

  @Test
  void podsOfOthersOnASharedServiceAreNotThisNodes() {
    runtime
        .withContainer("c", "u1", "main", CONTAINER_RUNNING, 3, 30)
        .withContainer("d", "of-a-kubelet", "main", CONTAINER_RUNNING, 4, 40);

    assertThat(reader.read().containers()).extracting(ContainerUsage::podUid).containsExactly("u1");
    assertThat(reader.readAll().usage().ofPods().cpu()).isEqualTo(30);
  }

  @Test
  void aServiceThatIsAwayIsNamedAndNotWaitedFor() {
    runtime.withContainer("c", "u1", "main", CONTAINER_RUNNING, 3, 30);
    long before = System.nanoTime();

    Everything all = reader.readAll();

    assertThat(all.usage().silent()).containsExactly("away");
    assertThat(all.usage().containers()).hasSize(1);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(ONE_WAIT);
  }

  @Test
  void aServiceThatBeganToHangIsWaitedForOnce() {
    runtime.hangs = true;
    long before = System.nanoTime();

    Everything all = reader.readAll();

    assertThat(all.usage().silent()).isEqualTo(List.of("one", "away"));
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(ONE_WAIT.multipliedBy(2));
  }

  private RuntimeDeclaration declaration(String name) {
    return new RuntimeDeclaration(name, WorkloadType.CONTAINER, node.endpoint(name));
  }

  private String health(String name) {
    return registry.snapshot().find(name).orElseThrow().health().word();
  }
}
