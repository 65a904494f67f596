package dev.berth.agent.runtimes.health;

import dev.berth.agent.runtimes.health.HealthObservation.Answered;
import dev.berth.agent.runtimes.health.HealthObservation.Connected;
import dev.berth.agent.runtimes.health.HealthObservation.Disconnected;
import dev.berth.agent.runtimes.health.HealthObservation.Failed;
import dev.berth.agent.runtimes.health.HealthObservation.ProbeDue;
import dev.berth.agent.runtimes.health.HealthRules.Decision;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.client.DelayedActions;
import dev.berth.client.DelayedActions.Pending;
import dev.berth.cri.CriConnection;
import io.grpc.ConnectivityState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Monitors one runtime service and reports every change of its health.
public final class ServiceMonitor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServiceMonitor.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final String service;
  private final HealthRules rules;
  private final ServiceProber prober;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final Consumer<HealthReport> listener;
  private final BlockingQueue<HealthObservation> observations = new LinkedBlockingQueue<>();
  private final Thread thread;

  // The four fields below are confined to the monitor's thread.
  private HealthState state;
  private @Nullable DiscoveredService discovered;
  private Pending nextProbe = () -> {};
  private @Nullable Thread probe;

  /// The server may have changed since the last discovery.
  private volatile boolean askEverything = true;

  private ServiceMonitor(
      CriConnection connection,
      List<ServiceHandler> declared,
      HealthTimings timings,
      DelayedActions delays,
      InstantSource clock,
      Consumer<HealthReport> listener) {
    this.service = connection.service();
    this.rules = new HealthRules(service, timings);
    var discovery = new ServiceDiscovery(connection.runtime(), declared);
    this.prober =
        new ServiceProber(connection, discovery, timings.probeLimit(), delays, observations::add);
    this.delays = delays;
    this.clock = clock;
    this.listener = listener;
    this.state = HealthState.registered(clock.instant());
    this.thread = Thread.ofVirtual().name("runtime-health-" + service).unstarted(this::run);
  }

  /// Starts the monitor and returns immediately.
  ///
  /// @param connection stays open when the monitor is closed
  /// @param declared handlers of runtimes that do not report theirs
  /// @param listener called on the monitor's thread
  public static ServiceMonitor start(
      CriConnection connection,
      List<ServiceHandler> declared,
      HealthTimings timings,
      DelayedActions delays,
      InstantSource clock,
      Consumer<HealthReport> listener) {
    var monitor = new ServiceMonitor(connection, declared, timings, delays, clock, listener);
    connection.onStateChange(monitor::connectionChanged);
    monitor.observations.add(new ProbeDue());
    monitor.thread.start();
    return monitor;
  }

  private void connectionChanged(ConnectivityState changed) {
    askEverything = true;
    observations.add(changed == ConnectivityState.READY ? new Connected() : new Disconnected());
  }

  private void run() {
    try {
      while (true) {
        observe(observations.take());
      }
    } catch (InterruptedException _) {
      // Closed.
    } finally {
      nextProbe.cancel();
      if (probe != null) {
        probe.interrupt();
      }
    }
  }

  private void observe(HealthObservation observation) {
    HealthReport before = new HealthReport(state.health(), discovered);
    if (observation instanceof Answered(var service)) {
      discovered = service;
    } else if (observation instanceof Failed) {
      askEverything = true;
    }
    Decision decision = rules.decide(state, observation, clock.instant());
    state = decision.state();
    follow(decision);
    HealthReport now = new HealthReport(state.health(), discovered);
    if (!now.equals(before)) {
      logChange(now, before);
    }
  }

  private void follow(Decision decision) {
    if (decision.probeNow()) {
      nextProbe.cancel();
      boolean everything = askEverything;
      askEverything = false;
      probe = prober.start(everything ? null : discovered);
    } else if (decision.nextProbe() != null) {
      nextProbe.cancel();
      nextProbe = delays.after(decision.nextProbe(), () -> observations.add(new ProbeDue()));
    }
  }

  private void logChange(HealthReport now, HealthReport before) {
    if (!now.health().word().equals(before.health().word())) {
      log.info(
          "runtime service name={} health={} {}",
          service,
          now.health().word(),
          now.health() instanceof ServiceHealth.NotReady(_, var reason, _, _)
              ? "reason=" + reason.why()
              : "");
    }
    listener.accept(now);
  }

  /// The listener gets no calls after this.
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(LONGEST_END);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
