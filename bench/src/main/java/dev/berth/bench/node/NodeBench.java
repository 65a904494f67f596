package dev.berth.bench.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.machine.ProcessUse;
import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Measures the time that the agent adds to the life of a pod: alternately with the same containerd
/// called directly, and through the API.
///
/// Both ways alternate, so that other work of the machine affects both. It needs root and
/// containerd.
///
/// Pods exist one kind only: one container, one image that is present. Pulling and volumes would be
/// the same on both ways and hide the difference.
public final class NodeBench {
  /// The image that `berth up` builds.
  public static final String IMAGE = "berth.dev/demo:1";

  private static final Path BERTH = Path.of("berth");

  /// The pod whose requests to the runtime are repeated for comparison.
  private static final String MODEL = "model";

  /// The number of warm-up pods that exist at the same time.
  public static final int WARM_TOGETHER = 30;

  /// The number of pods in all bursts of one size. The number of bursts is odd, so that one of them
  /// is the median.
  private static final int BURST_PODS = 330;

  /// Minimum number of bursts of a size.
  private static final int LEAST_BURSTS = 3;

  /// Share of one core below which the compilers count as finished.
  private static final double RESTING = 0.02;

  /// Wait after a burst, in which the compilers finish.
  public static final Duration CALMING = Duration.ofSeconds(60);

  private final int rounds;
  private final int warmUp;
  private final int[] bursts;
  private final Path results;

  /// Times in milliseconds.
  public record Single(double floorP50, double floorP95, double p50, double p95) {}

  /// Bursts of one size, of which the median one is kept.
  ///
  /// @param times the number of bursts
  public record Burst(
      int pods, int times, BurstTimes floor, BurstTimes ours, long mebibytes, double idleShare) {}

  public record Ending(double floorP50, double p50) {}

  /// The measurements before the warm-up.
  ///
  /// @param first milliseconds of the first pod of the process
  /// @param floor the runtime alone, before the first burst
  /// @param burst the first burst of the process
  public record Warmed(double first, BurstTimes floor, BurstTimes burst, int pods) {}

  /// @param warmUp the maximum number of warm-up pods
  public NodeBench(int rounds, int warmUp, int[] bursts, Path results) {
    this.rounds = rounds;
    this.warmUp = warmUp;
    this.bursts = bursts;
    this.results = results;
  }

  public void run() throws IOException, InterruptedException {
    // A short path on purpose: sockets of containerd lie below it, and the kernel limits the path
    // of a unix socket to 107 bytes.
    Path dataDir = Files.createTempDirectory(Path.of("/tmp"), "bn");
    try (NodeProcess node = NodeProcess.start(BERTH, dataDir);
        ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(node.kubeconfig()));
        PodRounds pods = new PodRounds(client, "")) {
      awaitNode(client, () -> {});
      long start = System.nanoTime();
      // It stays until the end: its files are among the mounts that the floor repeats.
      pods.create(MODEL);
      pods.awaitRunning(MODEL);
      double first = (System.nanoTime() - start) / 1e6;
      try (CriFloor floor = new CriFloor(node.socket(), MODEL)) {
        // Before the first burst, so that it does not warm up containerd for the floor only.
        BurstTimes coldFloor = alone(floor, WARM_TOGETHER);
        BurstTimes cold = cold(pods);
        int warmed = WARM_TOGETHER + warmUp(pods, node.use());
        double[][] singles = singles(pods, floor);
        List<Burst> all = new ArrayList<>();
        for (int size : bursts) {
          System.err.printf("%d pods at once%n", size);
          all.add(burst(node, pods, floor, size));
        }
        System.err.println("an agent in a process of its own");
        List<AgentProcessCost.Use> alone =
            AgentProcessCost.measure(BERTH, dataDir.resolve("alone"), node.socket(), bursts);
        NodeReport.write(
            results,
            new Warmed(first, coldFloor, cold, warmed),
            new Single(
                at(singles[0], 0.5),
                at(singles[0], 0.95),
                at(singles[1], 0.5),
                at(singles[1], 0.95)),
            new Ending(at(singles[2], 0.5), at(singles[3], 0.5)),
            all,
            alone);
      }
    } finally {
      TemporaryDirectory.delete(dataDir);
    }
  }

  /// A check that may time out.
  public interface Check {
    void run() throws IOException;
  }

  /// Waits until a node is ready. The check throws when that cannot happen any more.
  public static void awaitNode(ApiClient client, Check check)
      throws IOException, InterruptedException {
    while (client.json(ResourceType.NODES).list(ListQuery.ALL).stream()
        .noneMatch(NodeBench::isReady)) {
      check.run();
      Thread.sleep(Duration.ofMillis(50));
    }
  }

  private static boolean isReady(ObjectNode node) {
    for (var condition : node.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /// A burst of the runtime alone, whose pods are removed again.
  private static BurstTimes alone(CriFloor floor, int size) throws IOException {
    List<String> sandboxes = new ArrayList<>();
    BurstTimes times = floor.startMany(size, sandboxes);
    floor.removeAll(sandboxes);
    return times;
  }

  /// Runs the first burst of the process.
  private static BurstTimes cold(PodRounds pods) throws InterruptedException {
    List<String> names = names("cold", WARM_TOGETHER);
    BurstTimes times = start(pods, names);
    end(pods, names);
    return times;
  }

  /// Starts and deletes pods until the compilers have finished; returns the number of pods.
  private int warmUp(PodRounds pods, ProcessUse use) throws IOException, InterruptedException {
    System.err.printf("at most %d pods for warming up%n", warmUp);
    double share = 1;
    int done = 0;
    while (done < warmUp && share > RESTING) {
      long compiled = use.compilerMicros();
      long start = System.nanoTime();
      List<String> names = names("warm-" + done, Math.min(warmUp - done, WARM_TOGETHER));
      start(pods, names);
      end(pods, names);
      done += names.size();
      // Microseconds of compilers over nanoseconds of time, hence the factor.
      share = (use.compilerMicros() - compiled) * 1e3 / (System.nanoTime() - start);
    }
    return done;
  }

  public static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toList();
  }

  public static void end(PodRounds pods, List<String> names) throws InterruptedException {
    names.forEach(pods::delete);
    for (String name : names) {
      pods.awaitGone(name);
    }
  }

  /// The start of the floor, the start through Berth, the stop of the floor, and the deletion
  /// through Berth.
  private double[][] singles(PodRounds pods, CriFloor floor) throws InterruptedException {
    System.err.println("one pod at a time");
    double[][] millis = new double[4][rounds];
    for (int i = 0; i < rounds; i++) {
      List<String> sandboxes = new ArrayList<>();
      String name = "one-" + i;
      double floorStart = floor.startOne(name, sandboxes);
      double floorStop = floor.stopOne(sandboxes.getFirst());
      long start = System.nanoTime();
      pods.create(name);
      pods.awaitRunning(name);
      double ours = (System.nanoTime() - start) / 1e6;
      start = System.nanoTime();
      pods.delete(name);
      pods.awaitGone(name);
      double end = (System.nanoTime() - start) / 1e6;
      double[] row = {floorStart, ours, floorStop, end};
      for (int column = 0; column < 4; column++) {
        millis[column][i] = row[column];
      }
    }
    return millis;
  }

  /// Measures bursts of one size, and then memory and idle processor time with the last burst's
  /// pods.
  private static Burst burst(NodeProcess node, PodRounds pods, CriFloor floor, int size)
      throws IOException, InterruptedException {
    // The lowest bit makes the number odd.
    int times = Math.max(LEAST_BURSTS, BURST_PODS / size) | 1;
    BurstTimes[] least = new BurstTimes[times];
    BurstTimes[] ours = new BurstTimes[times];
    List<String> names = List.of();
    for (int round = 0; round < times; round++) {
      end(pods, names);
      least[round] = alone(floor, size);
      names = names("burst-" + size + "-" + round, size);
      ours[round] = start(pods, names);
      System.err.printf(
          "  %.0f ms, the runtime alone %.0f%n", ours[round].all(), least[round].all());
    }
    Thread.sleep(CALMING);
    double idle = node.use().share(Duration.ofSeconds(30));
    long memory = node.use().residentMiB();
    end(pods, names);
    return new Burst(size, times, BurstTimes.middle(least), BurstTimes.middle(ours), memory, idle);
  }

  public static BurstTimes start(PodRounds pods, List<String> names) {
    long start = System.nanoTime();
    // One after the other, as a client would; the server is not what this measures.
    names.forEach(pods::create);
    return BurstTimes.of(
        names.stream().mapToDouble(name -> (pods.awaitRunning(name) - start) / 1e6).toArray());
  }

  /// The given quantile: the smallest value that the given part of all values does not exceed.
  // The nearest rank, so that p95 of twenty pods is the nineteenth and not an invented value.
  private static double at(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }
}
