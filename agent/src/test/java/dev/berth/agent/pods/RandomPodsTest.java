package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.sim.Simulator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pods are made and deleted while agent and runtime services come and go, all at random: in the
/// end what is wanted runs, once, was never restarted, and nothing else is left.
final class RandomPodsTest {
  private static final int STEPS = 80;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everythingConverges(long seed) throws Exception {
    Random random = new Random(seed);
    List<String> wanted = new ArrayList<>();
    Map<String, String> containers = new HashMap<>();
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.service("two").setEvents(false);
      node.start();
      for (int step = 0; step < STEPS; step++) {
        act(node, random, step, wanted);
        wanted.forEach(name -> remember(node, name, containers));
      }
      for (String service : List.of("one", "two")) {
        node.simulator(service).serve();
      }

      wanted.forEach(name -> node.awaitPhase(name, "Running"));
      Await.until(
          "what was deleted is gone",
          () -> sandboxes(node) == wanted.size() && count(node) == 2 * wanted.size());
      for (String name : wanted) {
        JsonNode first = node.status(name).path("containerStatuses").path(0);
        assertThat(first.path("restartCount").asInt()).as(name).isZero();
        assertThat(first.path("containerID").asText())
            .as(name)
            .isEqualTo(containers.getOrDefault(name, first.path("containerID").asText()));
      }
    }
  }

  private static void act(TestNode node, Random random, int step, List<String> wanted)
      throws Exception {
    String service = random.nextBoolean() ? "one" : "two";
    Simulator simulator = node.simulator(service);
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3, 4 -> {
        String name = "pod-" + step;
        node.pod(name, spec(service));
        wanted.add(name);
      }
      case 5, 6 -> {
        if (!wanted.isEmpty()) {
          node.delete(wanted.remove(random.nextInt(wanted.size())));
        }
      }
      case 7 -> simulator.crash();
      case 8 -> simulator.serve();
      default -> {
        node.stopAgent();
        node.start();
      }
    }
  }

  /// The first container of a pod that was seen to run must stay the same.
  private static void remember(TestNode node, String name, Map<String, String> containers) {
    JsonNode first = node.status(name).path("containerStatuses").path(0);
    if (first.path("state").has("running")) {
      containers.putIfAbsent(name, first.path("containerID").asText());
    }
  }

  private static int sandboxes(TestNode node) {
    return node.simulator("one").machine().sandboxCount()
        + node.simulator("two").machine().sandboxCount();
  }

  private static int count(TestNode node) {
    return node.simulator("one").machine().containerCount()
        + node.simulator("two").machine().containerCount();
  }

  private static String spec(String service) {
    return """
      terminationGracePeriodSeconds: 1
      runtimeServiceName: %s
      containers:
      - {name: main, image: "busybox:1", command: [sleep, "1000"]}
      - {name: side, image: "busybox:1", command: [sleep, "1000"]}
      """
        .formatted(service);
  }
}
