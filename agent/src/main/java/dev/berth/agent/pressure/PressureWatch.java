package dev.berth.agent.pressure;

import dev.berth.agent.pressure.SignalReadings.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/// The state of thresholds between two readings, and what follows from it.
///
/// @param firstMet since when thresholds are met
/// @param lastSeen when conditions were last true
/// @param due thresholds whose grace period is over: pods are evicted
/// @param pressures the current conditions of the node
public record PressureWatch(
    Map<EvictionThreshold, Instant> firstMet,
    Map<PressureCondition, Instant> lastSeen,
    List<EvictionThreshold> due,
    Set<PressureCondition> pressures) {
  public static final PressureWatch CALM =
      new PressureWatch(Map.of(), Map.of(), List.of(), Set.of());

  public PressureWatch {
    firstMet = Map.copyOf(firstMet);
    lastSeen = Map.copyOf(lastSeen);
    due = List.copyOf(due);
    pressures = Set.copyOf(pressures);
  }

  /// The state after new readings.
  public PressureWatch next(PressureRules rules, SignalReadings readings, Instant now) {
    Map<EvictionThreshold, Instant> met = new HashMap<>();
    for (EvictionThreshold threshold : rules.thresholds()) {
      boolean goesOn =
          due.contains(threshold) && holds(threshold, readings, EvictionThreshold::isUnresolved);
      if (goesOn || holds(threshold, readings, EvictionThreshold::isMet)) {
        met.put(threshold, firstMet.getOrDefault(threshold, now));
      }
    }
    Map<PressureCondition, Instant> seen = new EnumMap<>(PressureCondition.class);
    seen.putAll(lastSeen);
    met.keySet().forEach(threshold -> seen.put(threshold.signal().pressure(), now));
    Set<PressureCondition> shown = EnumSet.noneOf(PressureCondition.class);
    seen.forEach(
        (pressure, at) -> {
          if (at.equals(now) || Duration.between(at, now).compareTo(rules.transition()) < 0) {
            shown.add(pressure);
          }
        });
    return new PressureWatch(met, seen, due(met, now), shown);
  }

  /// Memory first, then in the order of the signals; hard thresholds before soft ones.
  private static List<EvictionThreshold> due(Map<EvictionThreshold, Instant> met, Instant now) {
    List<EvictionThreshold> due = new ArrayList<>();
    met.forEach(
        (threshold, since) -> {
          if (Duration.between(since, now).compareTo(threshold.grace()) >= 0) {
            due.add(threshold);
          }
        });
    due.sort(
        Comparator.comparing(EvictionThreshold::signal).thenComparing(EvictionThreshold::grace));
    return due;
  }

  /// Whether no threshold is met any more after reclaiming.
  public static boolean isCalm(PressureRules rules, SignalReadings readings) {
    return rules.thresholds().stream()
        .noneMatch(threshold -> holds(threshold, readings, EvictionThreshold::isUnresolved));
  }

  private static boolean holds(
      EvictionThreshold threshold,
      SignalReadings readings,
      BiPredicate<EvictionThreshold, Reading> rule) {
    Reading reading = readings.signals().get(threshold.signal());
    return reading != null && rule.test(threshold, reading);
  }
}
