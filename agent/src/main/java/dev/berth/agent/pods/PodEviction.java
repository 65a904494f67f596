package dev.berth.agent.pods;

import dev.berth.agent.events.EventWriter;
import dev.berth.agent.node.usage.ResourceUsage;
import dev.berth.agent.node.usage.UsageReader;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.observed.WakeSignal;
import dev.berth.agent.pods.status.StatusFacts.Fate;
import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.agent.pressure.EvictionPlan;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionText;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.pressure.PodUsage;
import dev.berth.agent.pressure.PressureWatch;
import dev.berth.agent.pressure.SignalReadings;
import dev.berth.agent.pressure.StorageLimits;
import dev.berth.agent.pressure.StorageLimits.Excess;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fails pods that take more of the disk than they may and, when the node itself runs short of
/// something, one after the other those that it can best do without. One thread, which looks now
/// and then; pods are only measured when that decides something.
final class PodEviction implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PodEviction.class);

  /// The next pod goes only when the last one is gone, but not all too much later.
  private static final Duration LEAVING_PERIOD = Duration.ofSeconds(1);

  private static final Duration LONGEST_LEAVING = Duration.ofSeconds(30);

  private record Leaving(String uid, Instant since) {}

  private final PodWorkers workers;
  private final ServiceObservers observers;
  private final AgentDependencies around;
  private final PodUsageReader meter;
  private final DiskReclaim diskReclaim;
  private final EventWriter events;
  private final PodGuard guard = new PodGuard("eviction");
  private final Thread thread = Thread.ofVirtual().name("evictions").unstarted(this::run);

  // The two below belong to the thread.
  private @Nullable Leaving leaving;
  private @Nullable EvictionSignal shortOf; // As it was logged.

  private PodEviction(
      PodWorkers workers,
      ServiceObservers observers,
      AgentDependencies around,
      PodUsageReader meter,
      DiskReclaim diskReclaim,
      EventWriter events) {
    this.workers = workers;
    this.observers = observers;
    this.around = around;
    this.meter = meter;
    this.diskReclaim = diskReclaim;
    this.events = events;
  }

  static PodEviction start(
      NodeSettings node,
      AgentDependencies around,
      PodWorkers workers,
      ServiceObservers observers,
      DiskReclaim diskReclaim,
      EventWriter events) {
    UsageReader usage =
        new UsageReader(node.name(), around.runtimes(), () -> ResourceUsage.NONE, around.clock());
    PodUsageReader meter = new PodUsageReader(node, around.volumes(), usage);
    PodEviction evictions = new PodEviction(workers, observers, around, meter, diskReclaim, events);
    evictions.thread.start();
    return evictions;
  }

  private void run() {
    try {
      while (true) {
        try {
          look();
        } catch (RuntimeException e) {
          // The top of the thread: what cannot be measured now may be later.
          if (!Thread.currentThread().isInterrupted()) {
            log.warn("pods not measured", e);
          }
        }
        new WakeSignal().await(untilNext(), around.delays());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private Duration untilNext() {
    Duration usual = around.pressure().rules().period();
    return leaving == null || usual.compareTo(LEAVING_PERIOD) < 0 ? usual : LEAVING_PERIOD;
  }

  private void look() {
    Instant now = around.clock().instant();
    if (leaving != null && !isLeaving(leaving, now)) {
      leaving = null;
    }
    // Only what is read after a pod was gone shows what that has brought.
    NodePressure pressure = around.pressure();
    SignalReadings readings = pressure.read();
    PressureWatch watch = pressure.note(readings, now);
    if (leaving != null) {
      return;
    }
    if (keepLimits(workers.specifications(), readings)) {
      return;
    }
    if (watch.due().isEmpty()) {
      shortOf = null;
      return;
    }
    EvictionThreshold threshold = watch.due().getFirst();
    EvictionSignal signal = threshold.signal();
    if (signal != shortOf) {
      log.warn("node is short of something signal={} readings={}", signal, readings.signals());
      shortOf = signal;
    }
    events.tell(true, "EvictionThresholdMet", "Attempting to reclaim " + signal.resource());
    if (isWorthReclaiming(signal, readings)) {
      diskReclaim.run(images -> isOn(images, signal, readings));
      if (PressureWatch.isCalm(pressure.rules(), pressure.read())) {
        log.info("enough was had back without evicting pods signal={}", signal);
        return;
      }
    }
    // Of what is short first there may be nobody who could help; that is no reason to wait with the
    // rest.
    boolean _ = watch.due().stream().anyMatch(one -> evictOne(one, readings, now));
  }

  /// Whether something that is left of the pod has to be waited for.
  private boolean isLeaving(Leaving last, Instant now) {
    boolean isThere =
        observers.all().stream()
            .anyMatch(
                observer ->
                    observer.view().look(last.uid()).stream()
                        .anyMatch(pod -> pod.runsAnything() || pod.usableSandbox().isPresent()));
    return isThere && now.isBefore(last.since().plus(LONGEST_LEAVING));
  }

  /// Where images and containers have a disk of their own, they take nothing of the node's.
  private static boolean isWorthReclaiming(EvictionSignal signal, SignalReadings readings) {
    return signal.isDisk() && (signal.isOfImages() || !readings.hasImageDisk());
  }

  /// Whether a pod was evicted because of its own limits.
  private boolean keepLimits(List<Pod> pods, SignalReadings readings) {
    List<Pod> limited =
        pods.stream().filter(pod -> guard.test(pod, () -> StorageLimits.has(pod))).toList();
    Map<String, PodUsage> uses = limited.isEmpty() ? Map.of() : meter.measure(limited);
    boolean evicted = false;
    for (Pod pod : pods) {
      Optional<Excess> excess =
          guard
              .attempt(pod, () -> volumes(pod))
              .or(() -> guard.attempt(pod, () -> excess(pod, uses, readings)));
      if (excess.isPresent() && !EvictionCandidate.isCritical(pod)) {
        evict(pod, Fate.evicted(excess.get().message()), excess.get().signal());
        evicted = true;
      }
    }
    return evicted;
  }

  private Optional<Excess> volumes(Pod pod) {
    return around.volumes().excess(pod).map(why -> new Excess("emptydirfs.limit", why));
  }

  private static Optional<Excess> excess(
      Pod pod, Map<String, PodUsage> uses, SignalReadings readings) {
    return Optional.ofNullable(uses.get(pod.getMetadata().getUid()))
        .flatMap(use -> StorageLimits.of(pod, use, readings.hasImageDisk()));
  }

  /// Whether there was one.
  private boolean evictOne(EvictionThreshold threshold, SignalReadings readings, Instant now) {
    String resource = threshold.signal().resource();
    List<Pod> pods =
        workers.specifications().stream()
            .filter(pod -> guard.test(pod, () -> canHelp(pod, threshold.signal(), readings)))
            // What a pod asked for is part of the order.
            .filter(
                pod ->
                    guard.test(
                        pod,
                        () ->
                            PodResources.requestsWithOverhead(PodView.of(pod))
                                    .orZero(resource)
                                    .signum()
                                >= 0))
            .toList();
    Map<String, PodUsage> uses = meter.measure(pods);
    List<EvictionCandidate> candidates =
        EvictionPlan.order(
            pods.stream()
                .map(pod -> new EvictionCandidate(pod, uses.get(pod.getMetadata().getUid())))
                .toList(),
            threshold.signal(),
            readings.hasImageDisk());
    if (candidates.isEmpty()) {
      log.debug("no pod can be evicted signal={}", threshold.signal());
      return false;
    }
    EvictionCandidate first = candidates.getFirst();
    Duration grace = threshold.isHard() ? Duration.ZERO : around.pressure().rules().longestGrace();
    evict(
        first.pod(),
        Fate.disrupted(EvictionText.of(first, threshold, readings), grace),
        threshold.signal().toString());
    leaving = new Leaving(first.pod().getMetadata().getUid(), now);
    return true;
  }

  /// Pods of a service with another disk have nothing on this one; of a pod whose service nobody
  /// knows at the moment that is not known either.
  private boolean canHelp(Pod pod, EvictionSignal signal, SignalReadings readings) {
    return !isOfOneDisk(signal, readings)
        || around
            .runtimes()
            .imageServiceOf(pod.getMetadata().getUid())
            .filter(images -> isOn(images, signal, readings))
            .isPresent();
  }

  /// Whether a service has something on the disk that is short.
  private static boolean isOn(ImageService images, EvictionSignal signal, SignalReadings readings) {
    return !isOfOneDisk(signal, readings) || readings.onImageDisk().contains(images.endpoint());
  }

  private static boolean isOfOneDisk(EvictionSignal signal, SignalReadings readings) {
    return signal.isOfImages() && !readings.onImageDisk().isEmpty();
  }

  private void evict(Pod pod, Fate why, String signal) {
    log.warn(
        "pod evicted pod={}/{} signal={}",
        pod.getMetadata().getNamespace(),
        pod.getMetadata().getName(),
        signal);
    // Before the pod's status can tell of it: who has read that finds it counted.
    around.metrics().evicted(signal);
    workers.evict(pod.getMetadata().getUid(), why);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
