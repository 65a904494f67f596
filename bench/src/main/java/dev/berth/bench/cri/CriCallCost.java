package dev.berth.bench.cri;

import com.sun.management.ThreadMXBean;
import dev.berth.agent.runtimes.PodLookup.Found;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.VersionRequest;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// Measures the cost of a call above the plain stub. Client and server run on one thread, whose
/// processor time is counted, so that neither sockets nor other work of the machine distort it.
///
/// Blocks of calls of each kind alternate, and the median block counts.
final class CriCallCost {
  /// Measured blocks per kind of call; as many come before as warm-up.
  private static final int BLOCKS = 40;

  // A block takes a few milliseconds: above the resolution of the thread's clock, and short enough
  // that all kinds meet the same state of the machine.
  private static final int CALLS = 2_000;
  private static final String POD = "pod-5000";

  /// Nanoseconds and allocated bytes of the caller's thread per call.
  record Cost(String what, double nanos, double bytes) {}

  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  List<Cost> run(Path directory) throws IOException {
    var endpoint = new CriEndpoint.InProcess("call-cost");
    var threadsOfBare = Executors.newVirtualThreadPerTaskExecutor();
    Server server =
        InProcessServerBuilder.forName(endpoint.name())
            // The server answers on the thread of the caller, so that its processor time counts as
            // well.
            .directExecutor()
            .addService(new BenchRuntime(0))
            .build()
            .start();
    try (threadsOfBare;
        var node = new CriNode(directory, endpoint, HealthTimings.STANDARD)) {
      node.await(true);
      RuntimeRegistry registry = node.registry();
      // A few pods are enough: a lookup by hash does not depend on how many there are.
      for (int i = 0; i < 10_000; i += 1_000) {
        registry.bind(
            new PodRequest("pod-" + i, "pod", WorkloadType.CONTAINER, null, false, false), "");
      }
      ManagedChannel channel =
          InProcessChannelBuilder.forName(endpoint.name()).executor(threadsOfBare).build();
      var stub = RuntimeServiceGrpc.newBlockingStub(channel);
      RuntimeClient client = registry.runtimeServices().getFirst().runtime();
      List<Cost> costs =
          measure(
              List.of("bare stub", "our client", "registry and client", "registry alone"),
              () -> stub.version(VersionRequest.getDefaultInstance()),
              client::version,
              () -> find(registry).version(),
              () -> find(registry));
      channel.shutdownNow();
      return costs;
    } finally {
      server.shutdownNow();
    }
  }

  private static RuntimeClient find(RuntimeRegistry registry) {
    return registry.find(POD) instanceof Found(var service, _) ? service.runtime() : lost();
  }

  private static RuntimeClient lost() {
    throw new IllegalStateException(POD + " is not bound");
  }

  /// Measures blocks of each kind in turn. Processor time of the thread is used instead of elapsed
  /// time: it leaves out the time in which other processes run.
  private List<Cost> measure(List<String> names, Runnable... ways) {
    double[][] nanos = new double[ways.length][BLOCKS];
    double[][] bytes = new double[ways.length][BLOCKS];
    // The first half is the warm-up.
    for (int block = -BLOCKS; block < BLOCKS; block++) {
      for (int way = 0; way < ways.length; way++) {
        // Of this thread alone; what other threads of gRPC allocate is not counted.
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long start = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < CALLS; i++) {
          ways[way].run();
        }
        long time = threads.getCurrentThreadCpuTime() - start;
        if (block >= 0) {
          nanos[way][block] = (double) time / CALLS;
          bytes[way][block] =
              (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / CALLS;
        }
      }
    }
    return IntStream.range(0, ways.length)
        .mapToObj(way -> new Cost(names.get(way), median(nanos[way]), median(bytes[way])))
        .toList();
  }

  // The upper one of two; with forty blocks the difference does not matter.
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
