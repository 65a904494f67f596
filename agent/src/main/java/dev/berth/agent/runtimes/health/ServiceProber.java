package dev.berth.agent.runtimes.health;

import dev.berth.agent.runtimes.health.HealthObservation.Answered;
import dev.berth.agent.runtimes.health.HealthObservation.Failed;
import dev.berth.api.Problem;
import dev.berth.client.DelayedActions;
import dev.berth.client.DelayedActions.Pending;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Probes a runtime service, each time on a thread of its own and with a timeout.
///
/// @param results receives exactly one observation per probe
record ServiceProber(
    CriConnection connection,
    ServiceDiscovery discovery,
    Duration limit,
    DelayedActions delays,
    Consumer<HealthObservation> results) {
  /// Starts a probe.
  ///
  /// @param known the last answer of the same server; null to ask for everything
  /// @return the probing thread; an interrupt ends it
  Thread start(@Nullable DiscoveredService known) {
    var late = new AtomicBoolean();
    return Thread.ofVirtual()
        .name("runtime-probe-" + connection.service())
        .start(
            () -> {
              Pending alarm = interruptLater(Thread.currentThread(), late);
              HealthObservation result = ask(known, late);
              alarm.cancel();
              results.accept(result);
            });
  }

  private Pending interruptLater(Thread asking, AtomicBoolean late) {
    return delays.after(
        limit,
        () -> {
          late.set(true);
          asking.interrupt();
        });
  }

  private HealthObservation ask(@Nullable DiscoveredService known, AtomicBoolean late) {
    try {
      connection.connect();
      return new Answered(discovery.ask(known));
    } catch (CriException e) {
      return new Failed(late.get() ? hangs() : e.problem());
    } catch (RuntimeException e) {
      return new Failed(
          new Problem(
              "runtime service %s cannot be asked".formatted(connection.service()),
              e.toString(),
              "Report this as a fault of Berth"));
    }
  }

  private Problem hangs() {
    return new Problem(
        "runtime service %s is not ready".formatted(connection.service()),
        "it did not answer within %d seconds".formatted(limit.toSeconds()),
        "Check whether the runtime at %s hangs".formatted(connection.endpoint()));
  }
}
