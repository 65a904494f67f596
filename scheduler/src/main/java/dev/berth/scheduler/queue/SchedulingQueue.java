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

/// Pods that wait for a place, each in exactly one of four parts: active (to be tried now),
/// back-off (to be tried at a time), unschedulable (until something happens that could help),
/// gated.
///
/// Not thread-safe; the owner locks.
public final class SchedulingQueue {
  /// How many pods are in each part.
  public record Sizes(int active, int backoff, int unschedulable, int gated) {}

  /// Where a pod waits.
  public enum Part {
    ACTIVE,
    BACKOFF,
    UNSCHEDULABLE,
    GATED;

    /// As metrics call it.
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Is told of every pod that comes into a part, and of the event that brought it there.
  @FunctionalInterface
  public interface Arrivals {
    void arrived(Part part, String event);
  }

  private record Later(Instant due, ObjectKey key, QueuedPod pod) {}

  private static final Duration FIRST_WAIT = Duration.ofMillis(100);

  /// Short, because pods are woken only by what could really help: one that is woken is to be tried
  /// within a second.
  private static final Duration LONGEST_WAIT = Duration.ofMillis(800);

  private static final Duration LONGEST_WAIT_AFTER_ERROR = Duration.ofSeconds(10);

  /// Even if every hint were wrong, a pod is looked at again after this time.
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

  private static final String ATTEMPT_FAILED = "ScheduleAttemptFailure";

  private final InstantSource clock;
  private final Arrivals arrivals;
  private final Map<ObjectKey, QueuedPod> active = new LinkedHashMap<>();
  private final Map<ObjectKey, Later> backoff = new HashMap<>();
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

  /// Takes in a pod that waits, or what has become of one; says whether it is to be tried now.
  ///
  /// @param told the message that its condition has already
  public boolean put(PodInfo pod, String told) {
    QueuedPod known = find(pod.key());
    if (known != null && known.pod().equals(pod)) {
      return false;
    }
    remove(pod.key());
    QueuedPod next =
        known != null && known.pod().uid().equals(pod.uid())
            ? known
            : new QueuedPod(pod, clock.instant(), told);
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

  /// The next pod to try, which then is in no part any more.
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

  /// How long [#poll] stays empty if nothing happens.
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

  /// Puts back a pod for which no node did; it waits for something that could help.
  public void waitFor(QueuedPod pod, Set<RefusalCause> causes) {
    pod.waitsFor(causes);
    unschedulable.put(pod.pod().key(), pod);
    arrivals.arrived(Part.UNSCHEDULABLE, ATTEMPT_FAILED);
  }

  /// Puts back a pod whose place was lost on the way: at once the first time, later each time.
  public void retry(QueuedPod pod) {
    pod.bindFailed(clock.instant());
    Duration wait = doubled(FIRST_WAIT, pod.failedBinds() - 1, LONGEST_WAIT_AFTER_ERROR);
    later(pod, clock.instant().plus(wait), ATTEMPT_FAILED);
  }

  /// Tries pods again that the event could help; says how many.
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
    Duration wait = first.multipliedBy(1L << Math.clamp(times, 0, 20));
    return wait.compareTo(longest) > 0 ? longest : wait;
  }

  /// Visits the pods whose last attempt found no node, wherever they wait now.
  public void forEachRefused(Consumer<QueuedPod> visitor) {
    unschedulable.values().forEach(visitor);
    active.values().stream().filter(QueuedPod::isRefused).forEach(visitor);
    backoff.values().stream().map(Later::pod).filter(QueuedPod::isRefused).forEach(visitor);
  }

  public Sizes sizes() {
    return new Sizes(active.size(), backoff.size(), unschedulable.size(), gated.size());
  }
}
