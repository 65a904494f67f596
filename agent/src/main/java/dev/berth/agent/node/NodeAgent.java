package dev.berth.agent.node;

import dev.berth.agent.events.EventWriter;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.node.overhead.OverheadMeter;
import dev.berth.agent.node.overhead.OverheadMetrics;
import dev.berth.agent.node.overhead.PodOverheadReader;
import dev.berth.agent.node.usage.ImageInventory;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.RuntimeServices.Following;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.client.ResourceType;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// This node in the cluster: registered, described and alive while this is open.
public final class NodeAgent implements AutoCloseable {
  /// The first status waits this long for answers of the services: otherwise the node would be not
  /// ready for a moment after each restart.
  private static final Duration FIRST_ANSWERS = Duration.ofSeconds(2);

  private final EventWriter events;
  private final Following following;
  private final ImageInventory images;
  private final OverheadMeter overheads;
  private final NodeReporter reporter;
  private final NodeLease lease;

  private NodeAgent(
      EventWriter events,
      Following following,
      ImageInventory images,
      OverheadMeter overheads,
      NodeReporter reporter,
      NodeLease lease) {
    this.events = events;
    this.following = following;
    this.images = images;
    this.overheads = overheads;
    this.reporter = reporter;
    this.lease = lease;
  }

  /// What a node agent reports, and where it reads that.
  ///
  /// @param pressure the resources the machine is short of
  /// @param overheads reads what sandboxes cost beyond their containers
  /// @param port of its HTTPS server, 0 for none
  /// @param version of the agent
  public record NodeInputs(
      NodeOptions options,
      MachineInfo machine,
      NodePressure pressure,
      RuntimeServices runtimes,
      PodOverheadReader overheads,
      int port,
      String version) {}

  /// The client, clock, timers and metrics of a node agent.
  ///
  /// @param delays stays open
  public record NodeDependencies(
      ApiClient client,
      InstantSource clock,
      DelayedActions delays,
      RandomGenerator random,
      PrometheusRegistry metrics) {
    Backoff backoff() {
      return new Backoff(Duration.ofMillis(200), Duration.ofSeconds(7), random);
    }

    EventWriter events(String node) {
      return new EventWriter(client.json(ResourceType.EVENTS), node, clock, delays);
    }
  }

  /// Starts the registration; waits at most for the services' first answers.
  public static NodeAgent start(NodeInputs inputs, NodeDependencies dependencies)
      throws InterruptedException {
    RuntimeServices runtimes = inputs.runtimes();
    awaitFirstAnswers(runtimes);
    ImageInventory images = ImageInventory.start(runtimes);
    EventWriter events = dependencies.events(inputs.options().name());
    OverheadMeter overheads =
        OverheadMeter.start(inputs.overheads(), events, dependencies.delays());
    OverheadMetrics.register(dependencies.metrics(), overheads::measured);
    NodeReporter reporter =
        NodeReporter.start(
            new NodeObject(inputs.options(), inputs.version()),
            dependencies.client(),
            () ->
                new ObservedNode(
                    inputs.machine(),
                    runtimes.snapshot(),
                    inputs.pressure().pressures(),
                    images.images(),
                    overheads.measured(),
                    inputs.port()),
            events,
            dependencies.clock(),
            dependencies.delays(),
            dependencies.backoff());
    inputs.pressure().follow(reporter::wake);
    Following following = runtimes.follow(_ -> reporter.wake());
    NodeLease lease =
        NodeLease.start(
            reporter,
            dependencies.client(),
            inputs.options().name(),
            dependencies.clock(),
            dependencies.delays(),
            dependencies.backoff());
    return new NodeAgent(events, following, images, overheads, reporter, lease);
  }

  private static void awaitFirstAnswers(RuntimeServices runtimes) throws InterruptedException {
    CountDownLatch answered = new CountDownLatch(1);
    try (Following _ =
        runtimes.follow(
            snapshot -> {
              if (haveAnswered(snapshot)) {
                answered.countDown();
              }
            })) {
      boolean _ = answered.await(FIRST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static boolean haveAnswered(RuntimeSnapshot snapshot) {
    return snapshot.services().stream()
        .noneMatch(service -> service.health() instanceof ServiceHealth.Connecting);
  }

  @Override
  public void close() {
    lease.close();
    following.close();
    images.close();
    overheads.close();
    reporter.close();
    events.close();
  }
}
