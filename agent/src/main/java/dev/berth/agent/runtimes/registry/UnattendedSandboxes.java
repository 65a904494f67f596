package dev.berth.agent.runtimes.registry;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// Ends sandboxes of a runtime service while no agent manages it.
public final class UnattendedSandboxes {
  /// How long a runtime that has just started may report that it is not ready.
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private static final Duration RETRY = Duration.ofMillis(50);

  private final RuntimeClient runtime;
  private final Duration grace;

  private UnattendedSandboxes(RuntimeClient runtime, Duration grace) {
    this.runtime = runtime;
    this.grace = grace;
  }

  /// Ends and removes all sandboxes in parallel.
  ///
  /// @param grace for containers to end by themselves
  /// @return the number of sandboxes
  /// @throws CriException when a sandbox cannot be ended
  public static int endAll(CriEndpoint endpoint, Duration grace) {
    return end(endpoint, _ -> true, grace);
  }

  /// Like `endAll` for selected sandboxes: others may use the same service.
  ///
  /// @param wanted selects by a sandbox's labels
  public static int end(
      CriEndpoint endpoint, Predicate<Map<String, String>> wanted, Duration grace) {
    CriMetrics metrics = new CriMetrics(new PrometheusRegistry());
    try (CriTransport transport = new CriTransport();
        CriConnection connection =
            new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop())
                .open("sweep", endpoint)) {
      return new UnattendedSandboxes(connection.runtime(), grace).end(wanted);
    }
  }

  private int end(Predicate<Map<String, String>> wanted) {
    List<PodSandbox> sandboxes =
        list().stream().filter(one -> wanted.test(one.getLabelsMap())).toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> ends =
          sandboxes.stream().<Future<?>>map(one -> threads.submit(() -> end(one.getId()))).toList();
      for (Future<?> end : ends) {
        end.get();
      }
      return sandboxes.size();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CriException cause ? cause : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// A containerd that has just started reports for a moment that it is not ready.
  private List<PodSandbox> list() {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        return runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance());
      } catch (CriException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(RETRY.toNanos());
      }
    }
  }

  private void end(String sandbox) {
    ContainerFilter ofSandbox = ContainerFilter.newBuilder().setPodSandboxId(sandbox).build();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      runtime
          .listContainers(ofSandbox)
          .forEach(
              container -> threads.execute(() -> runtime.stopContainer(container.getId(), grace)));
    }
    runtime.stopPodSandbox(sandbox);
    runtime.removePodSandbox(sandbox);
  }
}
