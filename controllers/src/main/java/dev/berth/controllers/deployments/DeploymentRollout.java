package dev.berth.controllers.deployments;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides the next number of replicas of each revision.
///
/// Every step stays within the bounds by the observed state; the next step is decided when the sets
/// report the result of this one.
final class DeploymentRollout {
  private static final Comparator<DeploymentRevision> OLDEST_FIRST =
      Comparator.comparing(DeploymentRevision::created).thenComparing(DeploymentRevision::name);

  private DeploymentRollout() {}

  /// The initial number of replicas of a new revision.
  static int first(RolloutStrategy strategy, List<DeploymentRevision> old) {
    if (strategy.recreate()) {
      return strategy.wanted();
    }
    // Old pods that are not gone yet use up the surge.
    int room = strategy.most() - total(old);
    return Math.clamp(room, 0, strategy.wanted());
  }

  /// The next step of a rolling update: scale up the new revision or, if it is complete, scale down
  /// the old ones.
  ///
  /// @return the sets to change, with their new numbers
  static Map<DeploymentRevision, Integer> roll(
      RolloutStrategy strategy, DeploymentRevision latest, List<DeploymentRevision> old) {
    int next = grow(strategy, latest, old);
    return next == latest.replicas() ? shrink(strategy, latest, old) : Map.of(latest, next);
  }

  private static int grow(
      RolloutStrategy strategy, DeploymentRevision latest, List<DeploymentRevision> old) {
    if (latest.replicas() >= strategy.wanted()) {
      return strategy.wanted();
    }
    int room = strategy.most() - total(old) - latest.replicas();
    return latest.replicas() + Math.clamp(room, 0, strategy.wanted() - latest.replicas());
  }

  /// Scales old sets down as far as enough pods stay available.
  private static Map<DeploymentRevision, Integer> shrink(
      RolloutStrategy strategy, DeploymentRevision latest, List<DeploymentRevision> old) {
    // New pods that are not available yet may all fail: old pods stay for them.
    int notYet = latest.replicas() - latest.available();
    int most = total(old) + latest.replicas() - strategy.leastAvailable() - notYet;
    if (total(old) == 0 || most <= 0) {
      return Map.of();
    }
    Map<DeploymentRevision, Integer> next = new LinkedHashMap<>();
    List<DeploymentRevision> sorted =
        old.stream().filter(DeploymentRevision::isActive).sorted(OLDEST_FIRST).toList();
    // Unavailable pods are removed first: that does not reduce availability.
    for (DeploymentRevision one : sorted) {
      int sick = Math.min(one.replicas() - one.available(), most);
      if (sick > 0) {
        next.put(one, one.replicas() - sick);
        most -= sick;
      }
    }
    int available = latest.available() + old.stream().mapToInt(DeploymentRevision::available).sum();
    int spare = available - strategy.leastAvailable();
    for (DeploymentRevision one : sorted) {
      int left = next.getOrDefault(one, one.replicas());
      int less = Math.min(left, spare);
      if (less > 0) {
        next.put(one, left - less);
        spare -= less;
      }
    }
    return next;
  }

  /// Without a rollout, all replicas belong to the latest revision, or to the last active one.
  static Map<DeploymentRevision, Integer> scale(
      RolloutStrategy strategy, Optional<DeploymentRevision> latest, List<DeploymentRevision> old) {
    List<DeploymentRevision> active = old.stream().filter(DeploymentRevision::isActive).toList();
    if (active.isEmpty() || latest.isEmpty()) {
      Optional<DeploymentRevision> only =
          latest.or(
              () -> active.stream().max(Comparator.comparingLong(DeploymentRevision::number)));
      return active.size() > 1 && latest.isEmpty()
          ? ProportionalScaling.of(strategy, active)
          : only.filter(one -> one.replicas() != strategy.wanted())
              .map(one -> Map.of(one, strategy.wanted()))
              .orElse(Map.of());
    }
    DeploymentRevision now = latest.get();
    // Old sets with replicas are left over from a rollout that was paused or changed.
    if (isDone(strategy, now)) {
      Map<DeploymentRevision, Integer> none = new LinkedHashMap<>();
      active.forEach(one -> none.put(one, 0));
      return none;
    }
    List<DeploymentRevision> all =
        Stream.concat(active.stream(), Stream.of(now).filter(DeploymentRevision::isActive))
            .toList();
    return strategy.recreate() ? Map.of() : ProportionalScaling.of(strategy, all);
  }

  private static boolean isDone(RolloutStrategy strategy, DeploymentRevision latest) {
    return latest.replicas() == strategy.wanted() && latest.available() == strategy.wanted();
  }

  /// Whether the desired number changed since the sets were scaled.
  static boolean isScaling(RolloutStrategy strategy, List<DeploymentRevision> all) {
    return all.stream()
        .filter(DeploymentRevision::isActive)
        .anyMatch(one -> one.wantedThen() >= 0 && one.wantedThen() != strategy.wanted());
  }

  static int total(List<DeploymentRevision> revisions) {
    return revisions.stream().mapToInt(DeploymentRevision::replicas).sum();
  }

  /// The oldest revisions without pods beyond `revisionHistoryLimit`.
  static List<DeploymentRevision> forgotten(List<DeploymentRevision> old, int limit) {
    List<DeploymentRevision> empty =
        old.stream()
            .filter(one -> !one.isActive() && one.status().path("replicas").asInt() == 0)
            .filter(DeploymentRollout::isObserved)
            .sorted(
                Comparator.comparingLong(DeploymentRevision::number).thenComparing(OLDEST_FIRST))
            .toList();
    return empty.subList(0, Math.clamp((long) old.size() - limit, 0, empty.size()));
  }

  /// Whether the set's controller has seen its newest specification: only then is its number of
  /// pods known to be zero.
  private static boolean isObserved(DeploymentRevision one) {
    return one.set().path("metadata").path("generation").asLong()
            <= one.status().path("observedGeneration").asLong()
        && !one.set().path("metadata").has("deletionTimestamp");
  }
}
