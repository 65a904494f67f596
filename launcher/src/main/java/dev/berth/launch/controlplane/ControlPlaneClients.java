package dev.berth.launch.controlplane;

import dev.berth.client.ApiClient;
import dev.berth.controllers.RunningControllers;
import dev.berth.controllers.certificates.ClusterSigner;
import dev.berth.launch.connection.RunningComponent;
import dev.berth.scheduler.RunningScheduler;
import dev.berth.scheduler.SchedulerMetrics;
import dev.berth.scheduler.SchedulerProfile;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The components of a control plane that are clients of its API server: controllers and scheduler.
public final class ControlPlaneClients implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlPlaneClients.class);

  /// Bound of closing the components; see [#close].
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final List<RunningComponent> running = new ArrayList<>();

  private ControlPlaneClients() {}

  public static ControlPlaneClients start(ApiServer server, LaunchConfig config, Clock clock) {
    ControlPlaneClients components = new ControlPlaneClients();
    LeadershipGauge leadership = new LeadershipGauge(server.metrics());
    if (config.clients().controllers()) {
      components.running.add(
          new RunningComponent(
              server,
              ClientIdentity.CONTROLLERS,
              "berth-controllers",
              controllers(server, config, clock, leadership)));
    }
    if (config.clients().scheduler()) {
      components.running.add(
          new RunningComponent(
              server,
              ClientIdentity.SCHEDULER,
              "berth-scheduler",
              scheduler(new SchedulerMetrics(server.metrics(), clock), config, clock, leadership)));
    }
    return components;
  }

  /// The starter of the controllers. With an embedded store there is one server, and no election is
  /// needed.
  private static Function<ApiClient, AutoCloseable> controllers(
      ApiServer server, LaunchConfig config, Clock clock, LeadershipGauge leadership) {
    Random random = new Random();
    ClusterSigner signer = new ServerSigner(server, config.clients().approveServing());
    return client ->
        switch (config.store()) {
          case StoreChoice.Embedded _ ->
              RunningControllers.start(client, server.authorityPem(), signer, clock, random);
          // Several servers may share an etcd; leader election runs the controllers in one of them.
          case StoreChoice.Etcd _ ->
              leadership.show(
                  RunningControllers.startElected(
                      client, identity(), server.authorityPem(), signer, clock, random));
        };
  }

  private static Function<ApiClient, AutoCloseable> scheduler(
      SchedulerMetrics metrics, LaunchConfig config, Clock clock, LeadershipGauge leadership) {
    Random random = new Random();
    SchedulerProfile profile = SchedulerProfile.DEFAULT.with(config.clients().classes());
    return client ->
        switch (config.store()) {
          case StoreChoice.Embedded _ ->
              RunningScheduler.start(client, profile, metrics, clock, random);
          case StoreChoice.Etcd _ ->
              leadership.show(
                  RunningScheduler.startElected(
                      client, identity(), profile, metrics, clock, random));
        };
  }

  /// A new identity per start: a lease that the last start held must not count as this one's.
  private static String identity() {
    return "berth-" + UUID.randomUUID();
  }

  /// Starts the components again whose certificates have been replaced.
  public void renew() {
    running.forEach(RunningComponent::renew);
  }

  /// Releasing a lease is a write, and a store that hangs must not delay shutdown: the store is
  /// closed next, which ends pending writes.
  @Override
  public void close() {
    Thread closing =
        Thread.ofVirtual()
            .name("components-closing")
            .start(() -> running.reversed().forEach(RunningComponent::close));
    try {
      if (!closing.join(PATIENCE)) {
        log.warn("leases may not have been released; other replicas wait until they expire");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
