package dev.berth.agent.pods.eviction;

import dev.berth.agent.events.EventWriter;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionText;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.pressure.PressureWatch;
import dev.berth.agent.pressure.SignalReadings;
import dev.berth.agent.pressure.StorageLimits.Excess;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.DelayedActions;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Evicts pods that exceed their own disk limits and, when the node is short of a resource, one pod
/// after the other. One thread checks periodically; pods are measured only when a decision needs
/// it.
public final class PodEviction implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PodEviction.class);

  /// The interval while an evicted pod ends: the next pod is evicted only when that one is gone.
  private static final Duration LEAVING_PERIOD = Duration.ofSeconds(1);

  private final Supplier<List<Pod>> pods;
  private final NodePressure pressure;
  private final StorageLimitCheck limits;
  private final EvictionChoice choice;
  private final EvictedPods evicted;
  private final DiskReclaim diskReclaim;
  private final EventWriter events;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final Thread thread = Thread.ofVirtual().name("evictions").unstarted(this::run);

  /// The signal that was logged last. Confined to the thread.
  private @Nullable EvictionSignal shortOf;

  /// @param pods the pods that may be evicted
  public PodEviction(
      Supplier<List<Pod>> pods,
      NodePressure pressure,
      StorageLimitCheck limits,
      EvictionChoice choice,
      EvictedPods evicted,
      DiskReclaim diskReclaim,
      EventWriter events,
      DelayedActions delays,
      InstantSource clock) {
    this.pods = pods;
    this.pressure = pressure;
    this.limits = limits;
    this.choice = choice;
    this.evicted = evicted;
    this.diskReclaim = diskReclaim;
    this.events = events;
    this.delays = delays;
    this.clock = clock;
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        try {
          check();
        } catch (RuntimeException e) {
          // The top of the thread: what cannot be measured now may be later.
          if (!Thread.currentThread().isInterrupted()) {
            log.warn("pods not measured", e);
          }
        }
        new WakeSignal().await(untilNext(), delays);
      }
    } catch (InterruptedException _) {
      // The agent closes.
    }
  }

  private Duration untilNext() {
    Duration usual = pressure.rules().period();
    return !evicted.isAwaiting() || usual.compareTo(LEAVING_PERIOD) < 0 ? usual : LEAVING_PERIOD;
  }

  private void check() {
    Instant now = clock.instant();
    evicted.update(now);
    // Signals are read after the evicted pod is gone: earlier readings do not show what its end
    // freed.
    SignalReadings readings = pressure.read();
    PressureWatch watch = pressure.note(readings, now);
    if (evicted.isAwaiting() || enforceLimits(readings)) {
      return;
    }
    if (watch.due().isEmpty()) {
      shortOf = null;
      return;
    }
    EvictionSignal signal = watch.due().getFirst().signal();
    report(signal, readings);
    if (isWorthReclaiming(signal, readings)) {
      diskReclaim.run(images -> EvictionChoice.isOn(images, signal, readings));
      if (PressureWatch.isCalm(pressure.rules(), pressure.read())) {
        log.info("disk reclaimed without evictions signal={}", signal);
        return;
      }
    }
    // No pod may relieve the first threshold; the others must not wait for it.
    boolean _ = watch.due().stream().anyMatch(one -> evictOne(one, readings, now));
  }

  private void report(EvictionSignal signal, SignalReadings readings) {
    if (signal != shortOf) {
      log.warn("node is short of a resource signal={} readings={}", signal, readings.signals());
      shortOf = signal;
    }
    events.publish(true, "EvictionThresholdMet", "Attempting to reclaim " + signal.resource());
  }

  /// Images and containers on a disk of their own occupy nothing of the node's disk.
  private static boolean isWorthReclaiming(EvictionSignal signal, SignalReadings readings) {
    return signal.isDisk() && (signal.isOfImages() || !readings.hasImageDisk());
  }

  /// Whether a pod was evicted because of its own limits.
  private boolean enforceLimits(SignalReadings readings) {
    Map<Pod, Excess> exceeded = limits.exceeded(pods.get(), readings);
    exceeded.forEach(
        (pod, excess) -> evicted.evict(pod, PodFailure.evicted(excess.message()), excess.signal()));
    return !exceeded.isEmpty();
  }

  /// Whether a pod was evicted.
  private boolean evictOne(EvictionThreshold threshold, SignalReadings readings, Instant now) {
    Optional<EvictionCandidate> first = choice.first(pods.get(), threshold, readings);
    if (first.isEmpty()) {
      log.debug("no pod can be evicted signal={}", threshold.signal());
      return false;
    }
    Duration grace = threshold.isHard() ? Duration.ZERO : pressure.rules().longestGrace();
    evicted.evictAndAwait(
        first.get().pod(),
        PodFailure.disrupted(EvictionText.of(first.get(), threshold, readings), grace),
        threshold.signal().toString(),
        now);
    return true;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
