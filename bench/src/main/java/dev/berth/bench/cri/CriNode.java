package dev.berth.bench.cri;

import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A registry with one service, as in an agent.
public final class CriNode implements AutoCloseable {
  public static final String SERVICE = "bench";

  private final CriTransport transport = new CriTransport();
  private final DelayedActions delays = DelayedActions.realTime();
  private final RuntimeRegistry registry;

  public CriNode(Path directory, CriEndpoint endpoint, HealthTimings timings) throws IOException {
    var metrics = new CriMetrics(new PrometheusRegistry());
    var channels = new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());
    registry =
        RuntimeRegistry.open(
            directory,
            ServiceRegistration.configured(
                List.of(new RuntimeDeclaration(SERVICE, WorkloadType.CONTAINER, endpoint))),
            // Metrics and traces as in an agent: they are a part of the cost of a call.
            new RegistryContext(channels, metrics, timings, delays, Clock.systemUTC()));
  }

  public RuntimeRegistry registry() {
    return registry;
  }

  public boolean isReady() {
    return registry.runtimeServices().getFirst().health().isReady();
  }

  /// Waits for a state of the service by polling every 50 microseconds, which is the resolution of
  /// the measured times.
  // Without a limit: a registry that never gets ready is seen by the person who runs the benchmark.
  public void await(boolean ready) {
    while (isReady() != ready) {
      // Parking and not spinning: on two cores a spinning thread would take the time of what it
      // waits for.
      LockSupport.parkNanos(50_000);
    }
  }

  @Override
  public void close() {
    registry.close();
    transport.close();
    delays.close();
  }
}
