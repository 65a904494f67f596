package dev.berth.agent.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.agent.runtimes.testing.FakeRuntime;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriEndpoint.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loss and return of runtimes at real sockets, in real time.
final class SocketLossIT {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /// A machine that is busy with something else makes one attempt slow, but not every one.
  private static final int ATTEMPTS = 5;

  @TempDir private Path directory;
  private final FakeNode node = new FakeNode();
  private final DelayedActions delays = DelayedActions.realTime();

  @AfterEach
  void close() {
    delays.close();
    node.close();
  }

  @Test
  void lossAndReturnAreSeenWithinASecond() throws Exception {
    node.start("a", endpoint("a"), new FakeRuntime());
    node.start("b", endpoint("b"), new FakeRuntime());
    try (RuntimeRegistry registry = open("a", "b")) {
      awaitHealth(registry, "a", "Ready");
      awaitHealth(registry, "b", "Ready");

      long quickest = Long.MAX_VALUE;
      for (int i = 0; i < ATTEMPTS && quickest >= SECOND; i++) {
        quickest = Math.min(quickest, slowerOfLossAndReturn(registry));
      }

      assertThat(quickest).isLessThan(SECOND);
      assertThat(registry.snapshot().find("b").orElseThrow().health().isReady()).isTrue();
    }
  }

  private long slowerOfLossAndReturn(RuntimeRegistry registry) throws Exception {
    node.kill("a");
    long loss = nanosUntil(registry, "a", "NotReady");
    // Long enough for the back-off to have reached its bound.
    long end = System.nanoTime() + 2 * SECOND;
    Await.until("it was away for a while", () -> System.nanoTime() > end);
    node.start("a", endpoint("a"), new FakeRuntime());
    return Math.max(loss, nanosUntil(registry, "a", "Ready"));
  }

  @Test
  void closingLeavesNoDescriptors() throws Exception {
    node.start("a", endpoint("a"), new FakeRuntime());
    useOnce();
    long before = descriptors();

    for (int i = 0; i < 5; i++) {
      useOnce();
    }

    Await.until("all descriptors are closed", () -> descriptors() <= before);
  }

  private void useOnce() throws IOException {
    try (RuntimeRegistry registry = open("a", "absent")) {
      awaitHealth(registry, "a", "Ready");
      awaitHealth(registry, "absent", "NotReady");
    }
  }

  private RuntimeRegistry open(String... names) throws IOException {
    List<RuntimeDeclaration> services =
        Stream.of(names)
            .map(name -> new RuntimeDeclaration(name, WorkloadType.CONTAINER, endpoint(name)))
            .toList();
    return RuntimeRegistry.open(
        directory,
        ServiceRegistration.configured(services),
        new RegistryContext(
            node.channels, node.metrics, HealthTimings.STANDARD, delays, Clock.systemUTC()));
  }

  private CriEndpoint endpoint(String name) {
    return new UnixSocket(directory.resolve(name + ".sock"));
  }

  private static long nanosUntil(RuntimeRegistry registry, String name, String word) {
    long start = System.nanoTime();
    awaitHealth(registry, name, word);
    return System.nanoTime() - start;
  }

  private static void awaitHealth(RuntimeRegistry registry, String name, String word) {
    Await.until(
        name + " is " + word,
        () -> registry.snapshot().find(name).orElseThrow().health().word().equals(word));
  }

  private static long descriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    } catch (IOException _) {
      return Long.MAX_VALUE;
    }
  }
}
