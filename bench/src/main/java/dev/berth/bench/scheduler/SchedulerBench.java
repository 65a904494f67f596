package dev.berth.bench.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.bench.servers.ServerProcess;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.ClientConfig;
import dev.berth.client.DelayedActions;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.scheduler.RunningScheduler;
import dev.berth.scheduler.SchedulerMetrics;
import dev.berth.scheduler.SchedulerProfile;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/// Measures pods bound per second and the latency of single pods, with the API server in a process
/// of its own and the scheduler in this one; then the cost of a decision by number of nodes.
///
/// The bindings are durable before they are seen, so that the rate has the cost of the store's
/// commits.
public final class SchedulerBench {
  /// Requests in flight while objects are created.
  // Enough to let the server group commits; more would only wait in its priority levels.
  private static final int AT_ONCE = 32;

  // Two hundred, so that p99 is the second-worst value and not a single accident.
  private static final int SINGLE_PODS = 200;

  /// Pause between single pods, so that each meets an idle scheduler.
  private static final Duration PACE = Duration.ofMillis(20);

  // Powers that show whether the cost grows with the nodes; all nodes have one shape.
  private static final int[] GROWTH = {100, 1_000, 5_000, 10_000};

  private final int[] sizes;
  private final int pods;
  private final int warmUp;
  private final Path results;

  /// @param warmUp the number of pods that are bound and deleted before the measured ones
  public SchedulerBench(int[] sizes, int pods, int warmUp, Path results) {
    this.sizes = sizes;
    this.pods = pods;
    this.warmUp = warmUp;
    this.results = results;
  }

  /// The measurements at one size of the cluster.
  public record Row(
      int nodes, int pods, double perSecond, double p50Millis, double p99Millis, long serverMiB) {}

  public void run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (int size : sizes) {
      Path dataDir = Files.createTempDirectory("berth-bench");
      try {
        rows.add(measure(size, dataDir));
      } finally {
        TemporaryDirectory.delete(dataDir);
      }
    }
    List<DecisionCost.Row> costs = new ArrayList<>();
    for (int size : GROWTH) {
      costs.add(DecisionCost.measure(size));
      say("%,d nodes: %.1f us per decision", size, costs.getLast().micros());
    }
    SchedulerReport.write(results, warmUp, rows, costs);
  }

  /// Measures one size: first the rate with all pods waiting, then the latency of single pods.
  private Row measure(int size, Path dataDir) throws IOException, InterruptedException {
    try (ServerProcess server = ServerProcess.start(Path.of("berth"), dataDir);
        ApiClient client =
            ApiClient.open(ClientConfig.fromKubeconfig(dataDir.resolve("admin.kubeconfig")))) {
      say("%,d nodes: filling", size);
      fill(client, size);
      warmUp(client);
      // No scheduler runs: all pods wait when it starts.
      concurrently(pods, i -> createPod(client, "p" + i));
      try (BoundPods bound = new BoundPods(client);
          RunningScheduler _ = scheduler(client)) {
        // The informer was synchronized before the scheduler starts, so that no binding is missed.
        bound.await(pods);
        double rate = bound.rate();
        say("%,d nodes: %,.0f pods bound per second", size, rate);
        double[] latencies = latencies(client, bound);
        Row row =
            new Row(
                size,
                pods,
                rate,
                latencies[latencies.length / 2],
                latencies[latencies.length * 99 / 100],
                server.residentMiB());
        say("%,d nodes: p50 %.1f ms, p99 %.1f ms", size, row.p50Millis(), row.p99Millis());
        return row;
      }
    }
  }

  private void fill(ApiClient client, int size) throws InterruptedException {
    client.json(ResourceType.RUNTIME_CLASSES).create(BenchObjects.runtimeClass());
    client.json(ResourceType.NAMESPACES).create(BenchObjects.named("bench"));
    ResourceClient<ObjectNode> nodes = client.json(ResourceType.NODES);
    ObjectNode untainted = JsonNodeFactory.instance.objectNode();
    untainted.set("spec", BenchObjects.node(0).get("spec"));
    concurrently(
        size,
        i -> {
          nodes.create(BenchObjects.node(i));
          // New nodes are tainted as not ready until their agent removes the taint; here nobody
          // else does.
          nodes.patch(ObjectKey.clusterScoped("n" + i), ObjectPatch.merge(untainted));
        });
  }

  private static RunningScheduler scheduler(ApiClient client) {
    return RunningScheduler.start(
        client,
        SchedulerProfile.DEFAULT,
        new SchedulerMetrics(new PrometheusRegistry(), Clock.systemUTC()),
        Clock.systemUTC(),
        new Random());
  }

  /// Lets the compilers of both processes see the work before it is measured. Each size has a new
  /// server.
  private void warmUp(ApiClient client) throws InterruptedException {
    concurrently(warmUp, i -> createPod(client, "warm-" + i));
    try (BoundPods bound = new BoundPods(client);
        RunningScheduler _ = scheduler(client)) {
      bound.await(warmUp);
    }
    ResourceClient<ObjectNode> all = client.json(ResourceType.PODS);
    concurrently(
        warmUp,
        i ->
            all.delete(
                new ObjectKey("bench", "warm-" + i), DeleteOptions.DEFAULT.withGracePeriod(0)));
  }

  private static void createPod(ApiClient client, String name) {
    client.json(ResourceType.PODS).create(BenchObjects.pod(name));
  }

  /// The sorted times from sending a pod to seeing it bound on a watch.
  private static double[] latencies(ApiClient client, BoundPods bound) throws InterruptedException {
    double[] latencies = new double[SINGLE_PODS];
    for (int i = 0; i < SINGLE_PODS; i++) {
      String name = "single-" + i;
      long start = System.nanoTime();
      createPod(client, name);
      latencies[i] = (bound.awaitPod(name) - start) / 1e6;
      TimeUnit.NANOSECONDS.sleep(PACE.toNanos());
    }
    Arrays.sort(latencies);
    return latencies;
  }

  /// Runs an action for each number on virtual threads, a bounded number at a time, and waits for
  /// all.
  private static void concurrently(int count, IntConsumer action) throws InterruptedException {
    Semaphore room = new Semaphore(AT_ONCE);
    for (int i = 0; i < count; i++) {
      room.acquire();
      int number = i;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  action.accept(number);
                } finally {
                  room.release();
                }
              });
    }
    // All permits: the last actions have ended.
    room.acquire(AT_ONCE);
  }

  /// Watches for bound pods, as another client of the server.
  private static final class BoundPods implements AutoCloseable {
    private final DelayedActions delays = DelayedActions.realTime();
    private final ConcurrentHashMap<String, Long> boundAt = new ConcurrentHashMap<>();
    private final AtomicLong first = new AtomicLong();
    private final AtomicLong last = new AtomicLong();
    private final Informer<ObjectNode> informer;

    BoundPods(ApiClient client) throws InterruptedException {
      Backoff backoff = Reflector.usualBackoff(new Random());
      informer = Informer.start(client.json(ResourceType.PODS), ListQuery.ALL, delays, backoff);
      informer.awaitSynced();
      informer.addHandler(change -> see(change.latest()));
    }

    private void see(ObjectNode pod) {
      if (pod.path("spec").has("nodeName")) {
        long now = System.nanoTime();
        // The first sight counts; later events of the pod have the node as well.
        if (boundAt.putIfAbsent(pod.path("metadata").path("name").asText(), now) == null) {
          first.compareAndSet(0, now);
          last.set(now);
        }
      }
    }

    void await(int count) throws InterruptedException {
      while (boundAt.size() < count) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }

    long awaitPod(String name) throws InterruptedException {
      while (!boundAt.containsKey(name)) {
        // The resolution of the measured latency; the informer's handler cannot wake this thread
        // directly.
        TimeUnit.MICROSECONDS.sleep(100);
      }
      return boundAt.get(name);
    }

    /// Pods per second from the first binding to the last, so that the start of the scheduler does
    /// not count.
    double rate() {
      return (boundAt.size() - 1) / ((last.get() - first.get()) / 1e9);
    }

    @Override
    public void close() {
      informer.close();
      delays.close();
    }
  }

  private static void say(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
