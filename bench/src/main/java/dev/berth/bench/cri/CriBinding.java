package dev.berth.bench.cri;

import dev.berth.agent.runtimes.PodLookup.Found;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.ServiceResolution.Bound;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Measures how fast pods are bound durably and looked up, and how fast a new agent reads the
/// bindings. Each binding is synced to disk before it counts; several at once share a sync.
final class CriBinding {
  // A hundred times what a node runs, so that reopening shows how the log grows.
  static final int PODS = 10_000;

  /// Bindings of a single thread: each waits for its own sync of the file.
  private static final int ONE_BY_ONE = 500;

  // As many as cores on the smallest machine: more would measure the scheduler of the kernel.
  private static final int LOOKUP_THREADS = 2;

  record Rates(
      double bindsOneByOne,
      double bindsTogether,
      int together,
      double lookups,
      double reopenMillis) {}

  Rates run(Path directory, int threads, int seconds) throws IOException, InterruptedException {
    var endpoint = new CriEndpoint.InProcess("binding");
    try (var transport = new CriTransport();
        var _ = CriServer.start(transport, endpoint, List.of(new BenchRuntime(0).bindService()))) {
      // One registry for all three figures, so that a lookup meets all bound pods.
      double serial;
      double together;
      double lookups;
      try (var node = new CriNode(directory, endpoint, HealthTimings.STANDARD)) {
        node.await(true);
        serial = bind(node.registry(), 0, ONE_BY_ONE, 1);
        together = bind(node.registry(), ONE_BY_ONE, PODS, threads);
        lookups = lookUp(node.registry(), seconds);
      }
      long start = System.nanoTime();
      try (var node = new CriNode(directory, endpoint, HealthTimings.STANDARD)) {
        // Opening reads the whole log before it returns, so that the last pod stands for all.
        requireBound(node.registry(), PODS - 1);
        double millis = (System.nanoTime() - start) / 1e6;
        return new Rates(serial, together, threads, lookups, millis);
      }
    }
  }

  /// Bindings per second.
  private static double bind(RuntimeRegistry registry, int from, int to, int threads)
      throws InterruptedException {
    var next = new AtomicInteger(from);
    return perSecond(
        to - from,
        threads,
        () -> {
          for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
            var pod = new PodRequest("pod-" + i, "p", WorkloadType.CONTAINER, null, false, false);
            if (!(registry.bind(pod, "runc") instanceof Bound)) {
              throw new IllegalStateException("not bound: " + registry.bind(pod, "runc"));
            }
          }
        });
  }

  private static double lookUp(RuntimeRegistry registry, int seconds) throws InterruptedException {
    String[] uids = new String[PODS];
    for (int i = 0; i < PODS; i++) {
      uids[i] = "pod-" + i;
    }
    var count = new LongAdder();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    long start = System.nanoTime();
    run(
        LOOKUP_THREADS,
        () -> {
          for (int i = 0; System.nanoTime() < end; i += 1_000) {
            for (int j = 0; j < 1_000; j++) {
              // A prime step visits the pods in an order that caches do not predict.
              if (!(registry.find(uids[(i + j * 7919) % PODS]) instanceof Found)) {
                throw new IllegalStateException("lost");
              }
            }
            // Once per thousand lookups: a counter for each would cost as much as the lookup.
            count.add(1_000);
          }
        });
    return count.sum() / ((System.nanoTime() - start) / 1e9);
  }

  private static double perSecond(int count, int threads, Runnable work)
      throws InterruptedException {
    long start = System.nanoTime();
    run(threads, work);
    return count / ((System.nanoTime() - start) / 1e9);
  }

  private static void run(int threads, Runnable work) throws InterruptedException {
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(Thread.ofVirtual().start(work));
    }
    for (Thread thread : running) {
      thread.join();
    }
  }

  private static void requireBound(RuntimeRegistry registry, int pod) {
    if (!(registry.find("pod-" + pod) instanceof Found)) {
      throw new IllegalStateException("binding not restored: pod-" + pod);
    }
  }
}
