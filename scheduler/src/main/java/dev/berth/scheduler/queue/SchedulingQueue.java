package dev.berth.scheduler.queue;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Pods that wait for a node, each in exactly one of four parts: active (tried next), back-off
/// (tried at a given time), unschedulable (until a hint), and gated.
///
/// Not thread-safe; the owner locks.
///
/// The active part is first in, first out: the priority of a pod does not change its turn, and
/// there is no preemption, unlike upstream.
public final class SchedulingQueue {
  /// The number of pods in each part.
  public record Sizes(int active, int backoff, int unschedulable, int gated) {}

  /// The part of the queue that a pod is in.
  public enum Part {
    ACTIVE,
    BACKOFF,
    UNSCHEDULABLE,
    GATED;

    /// The name of the part in metrics.
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Called for every pod that enters a part, with the event that caused it.
  @FunctionalInterface
  public interface Arrivals {
    void arrived(Part part, String event);
  }

  private record Later(Instant due, ObjectKey key, QueuedPod pod) {}

  // Upstream waits 1 s at first and 10 s at most. Its events wake many pods in vain, hints here do
  // not.
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);

  /// Short, because only useful hints wake pods: a woken pod is tried within a second.
  private static final Duration LONGEST_WAIT = Duration.ofMillis(800);

  private static final Duration LONGEST_WAIT_AFTER_ERROR = Duration.ofSeconds(10);

  /// Safety net against missing hints: a pod is tried again after this time.
  // Upstream's podMaxInUnschedulablePodsDuration. A flush looks only at pods that have waited so
  // long.
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

  private static final String ATTEMPT_FAILED = "ScheduleAttemptFailure";

  private final InstantSource clock;
  private final Arrivals arrivals;
  private final Map<ObjectKey, QueuedPod> active = new LinkedHashMap<>();
  private final Map<ObjectKey, Later> backoff = new HashMap<>();
  // The same entries as in the map, by time; the key makes equal times distinct.
  private final TreeSet<Later> byDue =
      new TreeSet<>(Comparator.comparing(Later::due).thenComparing(Later::key));
  private final Map<ObjectKey, QueuedPod> unschedulable = new LinkedHashMap<>();
  private final Map<ObjectKey, QueuedPod> gated = new HashMap<>();
  private Instant nextFlush;

  public SchedulingQueue(InstantSource clock, Arrivals arrivals) {
    this.clock = clock;
    this.arrivals = arrivals;
    this.nextFlush = clock.instant().plus(LOOK_AGAIN);
  }

  /// Adds or updates a waiting pod; returns whether it is tried next.
  ///
  /// @param lastMessage the message that its condition already has
  public boolean put(PodInfo pod, String lastMessage) {
    QueuedPod known = find(pod.key());
    if (known != null && known.pod().equals(pod)) {
      return false;
    }
    // A changed pod is tried at once, whatever part it was in: the change may be the correction
    // that its refusal asked for.
    remove(pod.key());
    QueuedPod next =
        // A new pod of the same name starts with no attempts, no back-off and no message.
        known != null && known.pod().uid().equals(pod.uid())
            ? known
            : new QueuedPod(pod, clock.instant(), lastMessage);
    next.become(pod);
    String event = known == null ? "UnscheduledPodAdd" : "UnscheduledPodUpdate";
    if (pod.isGated()) {
      gated.put(pod.key(), next);
      arrivals.arrived(Part.GATED, event);
    } else {
      activate(next, event);
    }
    return !pod.isGated();
  }

  public void remove(ObjectKey key) {
    active.remove(key);
    unschedulable.remove(key);
    gated.remove(key);
    Later later = backoff.remove(key);
    if (later != null) {
      byDue.remove(later);
    }
  }

  private @org.jspecify.annotations.Nullable QueuedPod find(ObjectKey key) {
    QueuedPod found = active.get(key);
    if (found == null) {
      found = unschedulable.get(key);
    }
    if (found == null) {
      found = gated.get(key);
    }
    Later later = backoff.get(key);
    return found != null || later == null ? found : later.pod();
  }

  /// Removes and returns the next pod to try.
  public Optional<QueuedPod> poll() {
    Instant now = clock.instant();
    while (!byDue.isEmpty() && !byDue.first().due().isAfter(now)) {
      Later due = byDue.removeFirst();
      backoff.remove(due.key());
      activate(due.pod(), "BackoffComplete");
    }
    if (!nextFlush.isAfter(now)) {
      flush(now);
    }
    Iterator<QueuedPod> first = active.values().iterator();
    if (!first.hasNext()) {
      return Optional.empty();
    }
    QueuedPod next = first.next();
    first.remove();
    next.tried(now);
    return Optional.of(next);
  }

  private void flush(Instant now) {
    nextFlush = now.plus(LOOK_AGAIN);
    Instant limit = now.minus(LOOK_AGAIN);
    unschedulable
        .values()
        .removeIf(
            waiting -> {
              boolean old = !waiting.lastAttempt().isAfter(limit);
              if (old) {
                activate(waiting, "UnschedulableTimeout");
              }
              return old;
            });
  }

  /// How long [#poll] stays empty without further events.
  public Duration untilNext() {
    Instant next = nextFlush;
    if (!active.isEmpty()) {
      return Duration.ZERO;
    }
    if (!byDue.isEmpty() && byDue.first().due().isBefore(next)) {
      next = byDue.first().due();
    }
    Duration wait = Duration.between(clock.instant(), next);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  /// Returns a pod that fits no node; it waits for a hint.
  public void waitFor(QueuedPod pod, Set<RefusalCause> causes) {
    pod.waitsFor(causes);
    unschedulable.put(pod.pod().key(), pod);
    arrivals.arrived(Part.UNSCHEDULABLE, ATTEMPT_FAILED);
  }

  /// Returns a pod whose binding failed: the first retry comes after 100 ms, later ones back off.
  public void retry(QueuedPod pod) {
    pod.bindFailed(clock.instant());
    Duration wait = doubled(FIRST_WAIT, pod.failedBinds() - 1, LONGEST_WAIT_AFTER_ERROR);
    later(pod, clock.instant().plus(wait), ATTEMPT_FAILED);
  }

  /// Wakes the pods that the event may help; returns how many.
  public int wake(QueueingHint hint) {
    int woken = 0;
    Instant now = clock.instant();
    Iterator<QueuedPod> all = unschedulable.values().iterator();
    while (all.hasNext()) {
      QueuedPod waiting = all.next();
      if (hint.couldHelp(waiting)) {
        all.remove();
        woken++;
        Instant due =
            // Measured from the last attempt: a pod that has waited long enough is tried at once.
            waiting.lastAttempt().plus(doubled(FIRST_WAIT, waiting.attempts() - 1, LONGEST_WAIT));
        if (due.isAfter(now)) {
          later(waiting, due, hint.event());
        } else {
          activate(waiting, hint.event());
        }
      }
    }
    return woken;
  }

  private void activate(QueuedPod pod, String event) {
    active.put(pod.pod().key(), pod);
    arrivals.arrived(Part.ACTIVE, event);
  }

  private void later(QueuedPod pod, Instant due, String event) {
    Later later = new Later(due, pod.pod().key(), pod);
    backoff.put(later.key(), later);
    byDue.add(later);
    arrivals.arrived(Part.BACKOFF, event);
  }

  private static Duration doubled(Duration first, int times, Duration longest) {
    // The exponent is clamped before the shift, which would wrap around at 64.
    Duration wait = first.multipliedBy(1L << Math.clamp(times, 0, 20));
    return wait.compareTo(longest) > 0 ? longest : wait;
  }

  /// Visits the pods whose last attempt found no node, in any part.
  public void forEachRefused(Consumer<QueuedPod> visitor) {
    unschedulable.values().forEach(visitor);
    active.values().stream().filter(QueuedPod::isRefused).forEach(visitor);
    backoff.values().stream().map(Later::pod).filter(QueuedPod::isRefused).forEach(visitor);
  }

  public Sizes sizes() {
    return new Sizes(active.size(), backoff.size(), unschedulable.size(), gated.size());
  }
}
