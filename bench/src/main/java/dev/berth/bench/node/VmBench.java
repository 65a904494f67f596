package dev.berth.bench.node;

import dev.berth.bench.machine.ProcessUse;
import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Measures pods in virtual machines beside the same pods under runc and beside QEMU alone, by
/// turns in one run.
///
/// It needs root, containerd, QEMU and a kernel for guests.
public final class VmBench {
  private static final Path BERTH = Path.of("berth");
  private static final Path GUEST = Path.of("target/guest");
  private static final String VM = "vm";
  private static final String RUNC = "runc";

  /// Starts before the rounds that count, so that compilers have seen both ways.
  private static final int WARM = 10;

  private final int rounds;
  private final int[] sizes;
  private final Path results;

  /// @param sizes the numbers of pods that are created at once
  public VmBench(int rounds, int[] sizes, Path results) {
    this.rounds = rounds;
    this.sizes = sizes.clone();
    this.results = results;
  }

  /// Medians in milliseconds.
  ///
  /// @param first the first pod, for which the template is made
  record Starts(double first, Quantiles bare, Quantiles runc, Quantiles vm) {}

  record Quantiles(double p50, double p95) {
    static Quantiles of(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return new Quantiles(
          sorted[sorted.length / 2],
          sorted[Math.max(0, (int) Math.ceil(0.95 * sorted.length) - 1)]);
    }
  }

  /// Pods that were created at once.
  ///
  /// @param privateMiB of the QEMU process of a pod, on average
  /// @param idle share of one core of all QEMU processes a minute later
  record Crowd(int pods, BurstTimes runc, BurstTimes vm, double privateMiB, double idle) {}

  public void run() throws IOException, InterruptedException {
    // A short path on purpose, as sockets lie below it.
    Path dataDir = Files.createTempDirectory(Path.of("/tmp"), "bm");
    try (BareRestore bare = BareRestore.prepare(List.of(GUEST.toAbsolutePath()));
        NodeProcess node = NodeProcess.start(BERTH, dataDir);
        ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(node.kubeconfig()));
        PodRounds runc = new PodRounds(client, "", RUNC);
        PodRounds vm = new PodRounds(client, "", VM)) {
      NodeBench.awaitNode(client, () -> {});
      awaitClass(client);
      System.err.println("the first pod, whose template is made");
      double first = time(vm, "first");
      warmUp(runc, vm);
      Starts starts = starts(first, bare, runc, vm);
      List<Crowd> crowds = new ArrayList<>();
      for (int size : sizes) {
        System.err.printf("%d pods at once%n", size);
        crowds.add(crowd(dataDir, runc, vm, size));
      }
      ProcessUse use = node.use();
      VmReport.write(results, rounds, starts, crowds, use.residentMiB());
    } finally {
      TemporaryDirectory.delete(dataDir);
    }
  }

  /// The class is there once the runtime service has answered.
  private static void awaitClass(ApiClient client) throws InterruptedException {
    long limit = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (client.json(ResourceType.RUNTIME_CLASSES).find(ObjectKey.clusterScoped(VM)).isEmpty()) {
      if (System.nanoTime() > limit) {
        throw new IllegalStateException(
            "berth up has no RuntimeClass vm: QEMU or the kernel of guests is missing");
      }
      Thread.sleep(Duration.ofMillis(100));
    }
  }

  private static void warmUp(PodRounds runc, PodRounds vm) throws InterruptedException {
    for (int i = 0; i < WARM; i++) {
      time(runc, "warm-runc-" + i);
      time(vm, "warm-vm-" + i);
    }
  }

  private Starts starts(double first, BareRestore bare, PodRounds runc, PodRounds vm)
      throws InterruptedException {
    System.err.println("one pod at a time");
    double[][] millis = new double[3][rounds];
    for (int i = 0; i < rounds; i++) {
      millis[0][i] = bare.once();
      millis[1][i] = time(runc, "runc-" + i);
      millis[2][i] = time(vm, "vm-" + i);
      System.err.printf("  %.0f %.0f %.0f%n", millis[0][i], millis[1][i], millis[2][i]);
    }
    return new Starts(
        first, Quantiles.of(millis[0]), Quantiles.of(millis[1]), Quantiles.of(millis[2]));
  }

  /// Milliseconds from the creation of a pod until a watch shows it running; then it goes.
  private static double time(PodRounds pods, String name) throws InterruptedException {
    long start = System.nanoTime();
    pods.create(name);
    double millis = (pods.awaitRunning(name) - start) / 1e6;
    pods.delete(name);
    pods.awaitGone(name);
    return millis;
  }

  private static Crowd crowd(Path dataDir, PodRounds runc, PodRounds vm, int size)
      throws IOException, InterruptedException {
    List<String> containers = NodeBench.names("crowd-runc-" + size, size);
    BurstTimes runcTimes = NodeBench.start(runc, containers);
    NodeBench.end(runc, containers);
    List<String> machines = NodeBench.names("crowd-vm-" + size, size);
    BurstTimes vmTimes = NodeBench.start(vm, machines);
    System.err.printf("  %.0f ms, under runc %.0f%n", vmTimes.all(), runcTimes.all());
    Thread.sleep(NodeBench.CALMING);
    MachineProcesses processes = MachineProcesses.below(dataDir);
    double idle = processes.share(Duration.ofSeconds(20));
    double memory = processes.privateMiB();
    NodeBench.end(vm, machines);
    return new Crowd(size, runcTimes, vmTimes, memory, idle);
  }
}
