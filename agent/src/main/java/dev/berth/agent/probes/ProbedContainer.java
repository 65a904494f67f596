package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeWorkers.ProbeListener;
import dev.berth.agent.probes.ProbeWorkers.Subject;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.client.DelayedActions;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs the probes of one container. Until the startup probe succeeds, only that probe runs.
final class ProbedContainer implements AutoCloseable {
  private final Subject subject;
  private final ProbeListener listener;
  private final ProbeRunner checks;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final ProbeMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by the lock.
  private final Map<ProbeKind, ProbeTally> tallies = new EnumMap<>(ProbeKind.class);
  private final Map<ProbeKind, DelayedActions.Pending> due = new EnumMap<>(ProbeKind.class);
  private final Map<ProbeKind, Thread> underWay = new EnumMap<>(ProbeKind.class);
  private boolean closed;
  private boolean stopping;

  /// The startup probe failed too often: the container will be killed.
  private boolean gaveUp;

  private ProbedContainer(
      Subject subject,
      ProbeListener listener,
      ProbeRunner checks,
      DelayedActions delays,
      InstantSource clock,
      ProbeMetrics metrics) {
    this.subject = subject;
    this.listener = listener;
    this.checks = checks;
    this.delays = delays;
    this.clock = clock;
    this.metrics = metrics;
  }

  static boolean hasProbes(Container container) {
    return Stream.of(ProbeKind.values()).anyMatch(kind -> kind.of(container) != null);
  }

  static ProbedContainer start(
      Subject subject,
      ProbeListener listener,
      ProbeRunner checks,
      DelayedActions delays,
      InstantSource clock,
      ProbeMetrics metrics) {
    var probed = new ProbedContainer(subject, listener, checks, delays, clock, metrics);
    probed.begin();
    return probed;
  }

  /// Starts from the verdict in the pod's status, until a probe says otherwise: a restart of the
  /// agent must not make pods unready.
  private void begin() {
    Optional<ContainerStatus> before = statusBefore();
    boolean wasReady = before.map(one -> Boolean.TRUE.equals(one.getReady())).orElse(false);
    boolean wasStarted = before.map(one -> Boolean.TRUE.equals(one.getStarted())).orElse(false);
    lock.lock();
    try {
      for (ProbeKind kind : ProbeKind.values()) {
        if (kind.of(subject.container()) != null) {
          boolean passes =
              switch (kind) {
                case STARTUP -> wasStarted;
                case LIVENESS -> true;
                case READINESS -> wasReady;
              };
          tallies.put(kind, ProbeTally.startingWith(passes));
        }
      }
      if (passes(ProbeKind.STARTUP)) {
        scheduleFirst(ProbeKind.READINESS);
        scheduleFirst(ProbeKind.LIVENESS);
      } else {
        scheduleFirst(ProbeKind.STARTUP);
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<ContainerStatus> statusBefore() {
    PodStatus status = subject.pod().getStatus();
    return status == null
        ? Optional.empty()
        : Stream.of(status.getContainerStatuses(), status.getInitContainerStatuses())
            .flatMap(List::stream)
            .filter(
                one ->
                    one.getContainerID() != null
                        && one.getContainerID().endsWith("://" + subject.containerId()))
            .findFirst();
  }

  Verdict verdict() {
    lock.lock();
    try {
      boolean started = passes(ProbeKind.STARTUP);
      return new Verdict(
          started, started && passes(ProbeKind.READINESS), !gaveUp && passes(ProbeKind.LIVENESS));
    } finally {
      lock.unlock();
    }
  }

  /// The caller holds the lock. A kind without a probe passes.
  private boolean passes(ProbeKind kind) {
    ProbeTally tally = tallies.get(kind);
    return tally == null || tally.passes();
  }

  /// The caller holds the lock. The initial delay counts from the container's start, also when the
  /// startup probe delayed this one.
  private void scheduleFirst(ProbeKind kind) {
    Probe probe = kind.of(subject.container());
    if (probe != null) {
      Duration running = Duration.between(subject.startedAt(), clock.instant());
      Duration wait = seconds(probe.getInitialDelaySeconds(), 0).minus(running);
      schedule(kind, wait.isNegative() ? Duration.ZERO : wait);
    }
  }

  /// The caller holds the lock. The timer's thread must not block on the probe, so each probe gets
  /// a thread.
  private void schedule(ProbeKind kind, Duration wait) {
    String name = "probe-" + subject.container().getName();
    due.put(kind, delays.after(wait, () -> Thread.ofVirtual().name(name).start(() -> probe(kind))));
  }

  private void probe(ProbeKind kind) {
    if (!register(kind)) {
      return;
    }
    Probe probe = Objects.requireNonNull(kind.of(subject.container()));
    try {
      long begun = System.nanoTime();
      ProbeResult result = checks.make(subject, probe);
      metrics.made(subject, kind, result, System.nanoTime() - begun);
      count(kind, probe, result);
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Registers the thread so that closing interrupts it; false when closed already.
  private boolean register(ProbeKind kind) {
    lock.lock();
    try {
      boolean wanted = isWanted(kind);
      if (wanted) {
        underWay.put(kind, Thread.currentThread());
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /// Called with the lock held.
  private boolean isWanted(ProbeKind kind) {
    return !closed && (!stopping || kind == ProbeKind.READINESS);
  }

  private void count(ProbeKind kind, Probe probe, ProbeResult result) {
    Verdict before;
    Verdict after;
    lock.lock();
    try {
      if (!isWanted(kind)) {
        return;
      }
      before = verdict();
      ProbeTally tally = Objects.requireNonNull(tallies.get(kind)).after(result, probe);
      tallies.put(kind, tally);
      gaveUp |= kind == ProbeKind.STARTUP && hasFailed(tally, probe);
      after = verdict();
      if (!isDecided(kind, tally, probe)) {
        schedule(kind, seconds(probe.getPeriodSeconds(), 10));
      }
      if (after.started() && !before.started()) {
        // Readiness and liveness probes start after the startup probe.
        scheduleFirst(ProbeKind.READINESS);
        scheduleFirst(ProbeKind.LIVENESS);
      }
    } finally {
      lock.unlock();
    }
    switch (result) {
      case ProbeResult.Failure(var why) ->
          listener.failed("%s probe failed: %s".formatted(kind.word(), why));
      case ProbeResult.Errored(var why) ->
          listener.failed(
              "%s probe errored and resulted in unknown state: %s".formatted(kind.word(), why));
      case ProbeResult.Success(var doubt) -> {
        if (!doubt.isEmpty()) {
          listener.doubted("%s probe warning: %s".formatted(kind.word(), doubt));
        }
      }
      case ProbeResult.Unknown _ -> {
        // Users cannot change anything about it.
      }
    }
    if (!after.equals(before)) {
      listener.changed();
    }
  }

  /// Whether further probes of this kind cannot matter: the container has started, or will be
  /// killed.
  private static boolean isDecided(ProbeKind kind, ProbeTally tally, Probe probe) {
    return switch (kind) {
      case STARTUP -> tally.passes() || hasFailed(tally, probe);
      case LIVENESS -> hasFailed(tally, probe);
      case READINESS -> false;
    };
  }

  private static boolean hasFailed(ProbeTally tally, Probe probe) {
    return !tally.lastPassed()
        && tally.inARow() >= Objects.requireNonNullElse(probe.getFailureThreshold(), 3);
  }

  private static Duration seconds(@Nullable Integer value, int standard) {
    return Duration.ofSeconds(value == null ? standard : value);
  }

  /// From now on only readiness is probed.
  void stopping() {
    lock.lock();
    try {
      stopping = true;
      endUnwanted();
    } finally {
      lock.unlock();
    }
  }

  /// Called with the lock held.
  private void endUnwanted() {
    for (ProbeKind kind : ProbeKind.values()) {
      if (!isWanted(kind)) {
        Optional.ofNullable(due.remove(kind)).ifPresent(DelayedActions.Pending::cancel);
        Optional.ofNullable(underWay.remove(kind)).ifPresent(Thread::interrupt);
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      endUnwanted();
    } finally {
      lock.unlock();
    }
  }
}
