package dev.berth.agent.pods;

import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.OpenFiles;
import dev.berth.agent.runtimes.testing.ThreadDump;
import dev.berth.client.ResourceType;
import dev.berth.sim.Simulator;
import dev.berth.sim.model.SimMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A hundred pods come and go at random, and nothing of them is left: sandboxes, containers,
/// bindings, directories, threads, open files. `-Dberth.seed=N` repeats a run.
final class LeaksTest {
  private static final int PODS = 100;

  @TempDir private Path directory;

  @Test
  void aHundredPodsThatCameAndWentLeaveNothing() throws Exception {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> uids = new ArrayList<>();
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      Simulator two = node.service("two");
      two.setEvents(false);
      node.start();
      node.pod("first", spec("one"));
      node.awaitPhase("first", "Running");
      node.delete("first");
      node.awaitGone("first");
      int before = threads();
      OpenFiles open = OpenFiles.now();
      List<String> alive = new ArrayList<>();
      for (int i = 0; i < PODS; i++) {
        String name = "pod-" + i;
        uids.add(
            node.pod(name, spec(random.nextBoolean() ? "one" : "two"))
                .path("metadata")
                .path("uid")
                .asText());
        alive.add(name);
        while (random.nextInt(3) == 0 && !alive.isEmpty()) {
          node.delete(alive.remove(random.nextInt(alive.size())));
        }
        if (random.nextInt(20) == 0 && !alive.isEmpty()) {
          node.awaitPhase(alive.getLast(), "Running");
        }
      }
      alive.forEach(node::delete);

      // All of it at one moment: the agent may still end a sandbox that came up after its pod was
      // gone, because the call that made it was cut off. For that time it is bound again.
      Await.until(
          () -> "nothing is left, seed %d: %s".formatted(seed, left(node, uids)),
          () -> left(node, uids).isEmpty());
      Await.until("threads are gone, seed " + seed, () -> threads() <= before);
      Await.until(
          () -> "nothing is left open, seed %d: %s".formatted(seed, OpenFiles.now().since(open)),
          () -> OpenFiles.now().since(open).isEmpty());
    }
  }

  /// What there is of pods in the API, the agent, its runtime services and its directories.
  private List<String> left(TestNode node, List<String> uids) {
    List<String> left = new ArrayList<>();
    node.api.list(ResourceType.PODS).forEach(_ -> left.add("pod of the API"));
    node.agent().pods().forEach(pod -> left.add("worker " + pod.getMetadata().getName()));
    for (String name : List.of("one", "two")) {
      SimMachine machine = node.simulator(name).machine();
      if (machine.sandboxCount() + machine.containerCount() > 0) {
        left.add(
            "%s: %d sandboxes, %d containers"
                .formatted(name, machine.sandboxCount(), machine.containerCount()));
      }
    }
    for (String uid : uids) {
      if (!(node.registry().find(uid) instanceof PodLookup.NotBound)) {
        left.add("binding " + uid);
      }
    }
    entries(directory.resolve("pods")).forEach(path -> left.add(path.toString()));
    entries(directory.resolve("logs")).forEach(path -> left.add(path.toString()));
    return left;
  }

  /// Those of pods, by their names.
  private static int threads() {
    return (int)
        ThreadDump.virtualThreads().stream()
            .filter(name -> name.startsWith("pod-") || name.startsWith("status-"))
            .filter(name -> !name.equals("pod-events"))
            .count();
  }

  private static List<Path> entries(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String spec(String service) {
    return """
      terminationGracePeriodSeconds: 1
      runtimeServiceName: %s
      containers:
      - {name: main, image: "busybox:1", command: [sleep, "1000"]}
      """
        .formatted(service);
  }
}
