package dev.berth.controllers.deployments;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides how many replicas each revision is to have next.
///
/// Every step keeps within the bounds by what is known now; the next one is decided when the sets
/// have told what became of this one.
final class Rollout {
  private static final Comparator<Revision> OLDEST_FIRST =
      Comparator.comparing(Revision::created).thenComparing(Revision::name);

  private Rollout() {}

  /// How many replicas a new revision begins with.
  static int first(Strategy strategy, List<Revision> old) {
    if (strategy.recreate()) {
      return strategy.wanted();
    }
    int room = strategy.most() - total(old);
    return Math.clamp(room, 0, strategy.wanted());
  }

  /// The next step of a rolling update: the new one grows or, if it need not, old ones shrink.
  ///
  /// @return the sets that are to change, with their new numbers
  static Map<Revision, Integer> roll(Strategy strategy, Revision latest, List<Revision> old) {
    int next = grow(strategy, latest, old);
    return next == latest.replicas() ? shrink(strategy, latest, old) : Map.of(latest, next);
  }

  private static int grow(Strategy strategy, Revision latest, List<Revision> old) {
    if (latest.replicas() >= strategy.wanted()) {
      return strategy.wanted();
    }
    int room = strategy.most() - total(old) - latest.replicas();
    return latest.replicas() + Math.clamp(room, 0, strategy.wanted() - latest.replicas());
  }

  private static Map<Revision, Integer> shrink(
      Strategy strategy, Revision latest, List<Revision> old) {
    int notYet = latest.replicas() - latest.available();
    int most = total(old) + latest.replicas() - strategy.leastAvailable() - notYet;
    if (total(old) == 0 || most <= 0) {
      return Map.of();
    }
    Map<Revision, Integer> next = new LinkedHashMap<>();
    List<Revision> sorted = old.stream().filter(Revision::isActive).sorted(OLDEST_FIRST).toList();
    // Pods that do not work anyway go first: nobody misses them.
    for (Revision one : sorted) {
      int sick = Math.min(one.replicas() - one.available(), most);
      if (sick > 0) {
        next.put(one, one.replicas() - sick);
        most -= sick;
      }
    }
    int available = latest.available() + old.stream().mapToInt(Revision::available).sum();
    int spare = available - strategy.leastAvailable();
    for (Revision one : sorted) {
      int left = next.getOrDefault(one, one.replicas());
      int less = Math.min(left, spare);
      if (less > 0) {
        next.put(one, left - less);
        spare -= less;
      }
    }
    return next;
  }

  /// Without a rollout, all replicas are the latest revision's, or the last active one's.
  static Map<Revision, Integer> scale(
      Strategy strategy, Optional<Revision> latest, List<Revision> old) {
    List<Revision> active = old.stream().filter(Revision::isActive).toList();
    if (active.isEmpty() || latest.isEmpty()) {
      Optional<Revision> only =
          latest.or(() -> active.stream().max(Comparator.comparingLong(Revision::number)));
      return active.size() > 1 && latest.isEmpty()
          ? Proportions.of(strategy, active)
          : only.filter(one -> one.replicas() != strategy.wanted())
              .map(one -> Map.of(one, strategy.wanted()))
              .orElse(Map.of());
    }
    Revision now = latest.get();
    if (isDone(strategy, now)) {
      Map<Revision, Integer> none = new LinkedHashMap<>();
      active.forEach(one -> none.put(one, 0));
      return none;
    }
    List<Revision> all =
        Stream.concat(active.stream(), Stream.of(now).filter(Revision::isActive)).toList();
    return strategy.recreate() ? Map.of() : Proportions.of(strategy, all);
  }

  private static boolean isDone(Strategy strategy, Revision latest) {
    return latest.replicas() == strategy.wanted() && latest.available() == strategy.wanted();
  }

  /// Whether the wanted number changed since the sets were scaled.
  static boolean isScaling(Strategy strategy, List<Revision> all) {
    return all.stream()
        .filter(Revision::isActive)
        .anyMatch(one -> one.wantedThen() >= 0 && one.wantedThen() != strategy.wanted());
  }

  static int total(List<Revision> revisions) {
    return revisions.stream().mapToInt(Revision::replicas).sum();
  }

  /// Revisions beyond the history's limit, the oldest ones, that have no pods any more.
  static List<Revision> forgotten(List<Revision> old, int limit) {
    List<Revision> empty =
        old.stream()
            .filter(one -> !one.isActive() && one.status().path("replicas").asInt() == 0)
            .filter(Rollout::isObserved)
            .sorted(Comparator.comparingLong(Revision::number).thenComparing(OLDEST_FIRST))
            .toList();
    return empty.subList(0, Math.clamp((long) old.size() - limit, 0, empty.size()));
  }

  private static boolean isObserved(Revision one) {
    return one.set().path("metadata").path("generation").asLong()
            <= one.status().path("observedGeneration").asLong()
        && !one.set().path("metadata").has("deletionTimestamp");
  }
}
