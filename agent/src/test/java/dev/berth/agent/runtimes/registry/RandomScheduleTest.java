package dev.berth.agent.runtimes.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.PodLookup.Found;
import dev.berth.agent.runtimes.PodLookup.Gone;
import dev.berth.agent.runtimes.PodLookup.NotBound;
import dev.berth.agent.runtimes.PodLookup.Unknown;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.ServiceResolution.Bound;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.v1.PodSandboxState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Services and the agent come and go at random; a pod never changes its service, is never lost,
/// and never has sandboxes in two.
final class RandomScheduleTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int PODS = 20;

  @TempDir private Path directory;
  private final Map<String, String> expected = new HashMap<>();
  private final Set<String> down = new HashSet<>();
  private int nextPod;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aPodStaysWithItsService(long seed) throws Exception {
    var random = new Random(seed);
    try (var test = new TestRegistry(directory)) {
      test.openReady("a", "b", "c");
      for (int step = 0; step < 150; step++) {
        step(test, random);
        check(test, "seed %d, step %d".formatted(seed, step));
      }
      for (String name : new ArrayList<>(down)) {
        start(test, name);
      }
      NAMES.forEach(test::awaitRecovery);
      check(test, "seed %d, at the end".formatted(seed));
      expected.forEach(
          (pod, service) ->
              assertThat(test.registry().find(pod))
                  .isInstanceOfSatisfying(
                      Found.class, found -> assertThat(found.service().name()).isEqualTo(service)));
    }
  }

  private void step(TestRegistry test, Random random) throws IOException {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    switch (random.nextInt(12)) {
      case 0 -> kill(test, name);
      case 1, 2 -> start(test, name);
      case 3 -> test.open("a", "b", "c");
      case 4 -> openWithoutRecord(test, random);
      case 5 -> test.registry().services().drain(name);
      case 6, 7 -> test.registry().services().resume(name);
      case 8 -> release(test, random);
      default -> bind(test, random, random.nextBoolean() ? name : null);
    }
    test.time.advance(Duration.ofMillis(random.nextInt(400)));
  }

  private void kill(TestRegistry test, String name) {
    if (down.add(name)) {
      test.node.kill(name);
    }
  }

  private void start(TestRegistry test, String name) {
    if (down.remove(name)) {
      test.start(name);
    }
  }

  /// The disk was lost; the runtimes still know what they run.
  private void openWithoutRecord(TestRegistry test, Random random) throws IOException {
    if (random.nextInt(3) > 0) {
      return;
    }
    test.registry().close();
    Files.deleteIfExists(directory.resolve("bindings"));
    test.open("a", "b", "c");
  }

  private void release(TestRegistry test, Random random) {
    if (expected.isEmpty()) {
      return;
    }
    String pod = expected.keySet().stream().sorted().toList().get(random.nextInt(expected.size()));
    if (test.registry().find(pod) instanceof Found(var service, _)
        && !down.contains(service.name())) {
      test.runtime(service.name())
          .sandboxes
          .removeIf(sandbox -> sandbox.getMetadata().getUid().equals(pod));
      test.registry().release(pod);
      expected.remove(pod);
    }
  }

  private void bind(
      TestRegistry test, Random random, @org.jspecify.annotations.Nullable String service) {
    boolean old = !expected.isEmpty() && (expected.size() >= PODS || random.nextBoolean());
    String pod =
        old
            ? expected.keySet().stream().sorted().toList().get(random.nextInt(expected.size()))
            : "pod-" + nextPod++;
    var request = new PodRequest(pod, pod, WorkloadType.CONTAINER, service, false, old);
    if (test.registry().bind(request, "") instanceof Bound(var endpoint, _)) {
      String before = expected.put(pod, endpoint.name());
      assertThat(endpoint.name()).isEqualTo(before == null ? endpoint.name() : before);
      if (before == null) {
        // The sandbox is made at once, or else a lost disk would lose the binding.
        test.runtime(endpoint.name())
            .withSandbox(pod, PodSandboxState.SANDBOX_READY, test.time.millis());
      }
    }
  }

  private void check(TestRegistry test, String when) {
    expected.forEach(
        (pod, service) -> {
          switch (test.registry().find(pod)) {
            case Found(var found, _) -> assertThat(found.name()).as(when).isEqualTo(service);
            case Unknown _ -> {}
            case NotBound(), Gone(_) -> throw new AssertionError(pod + " is lost: " + when);
          }
        });
    assertThat(test.registry().snapshot().problems()).as(when).isEmpty();
  }
}
