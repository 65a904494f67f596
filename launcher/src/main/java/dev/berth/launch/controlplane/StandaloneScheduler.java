package dev.berth.launch.controlplane;

import dev.berth.api.Problem;
import dev.berth.client.LeaderElection;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.ExposedFiles;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.process.MetricsListener;
import dev.berth.launch.process.ProcessMetrics;
import dev.berth.scheduler.RunningScheduler;
import dev.berth.scheduler.SchedulerMetrics;
import dev.berth.scheduler.SchedulerProfile;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The scheduler as a process of its own. It uses leader election in any case, because another
/// scheduler may run in the server's process.
public final class StandaloneScheduler implements AutoCloseable {
  private final Closeables closeables;
  private final URI server;
  private final @Nullable MetricsListener metrics;

  private StandaloneScheduler(
      Closeables closeables, URI server, @Nullable MetricsListener metrics) {
    this.closeables = closeables;
    this.server = server;
    this.metrics = metrics;
  }

  /// Becomes a candidate for scheduling.
  ///
  /// @param metricsPort port on the loopback interface; -1 for none
  public static StandaloneScheduler start(
      Path kubeconfig, SchedulerProfile profile, int metricsPort) {
    ExposedFiles.warn(List.of(kubeconfig));
    Clock clock = Clock.systemUTC();
    Closeables closeables = new Closeables();
    ServerConnection server = closeables.add(ServerConnection.open(kubeconfig, "berth-scheduler"));
    PrometheusRegistry registry = new PrometheusRegistry();
    ProcessMetrics.register(registry);
    try {
      MetricsListener metrics =
          metricsPort < 0 ? null : closeables.add(MetricsListener.start(metricsPort, registry));
      LeaderElection election =
          RunningScheduler.startElected(
              server.client(),
              "berth-" + UUID.randomUUID(),
              profile,
              new SchedulerMetrics(registry, clock),
              clock,
              new Random());
      closeables.add(new LeadershipGauge(registry).show(election));
      return new StandaloneScheduler(closeables, server.server(), metrics);
    } catch (IOException e) {
      closeables.close();
      throw new LaunchException(
          new Problem(
              "cannot serve metrics on port " + metricsPort,
              String.valueOf(e.getMessage()),
              "Choose another port with --metrics-port"),
          e);
    }
  }

  public URI server() {
    return server;
  }

  /// The address of the metrics; empty if they are off.
  public Optional<String> metricsUrl() {
    return Optional.ofNullable(metrics).map(MetricsListener::url);
  }

  @Override
  public void close() {
    closeables.close();
  }
}
