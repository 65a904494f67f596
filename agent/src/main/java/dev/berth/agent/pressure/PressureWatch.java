package dev.berth.agent.pressure;

import dev.berth.agent.pressure.Readings.Reading;
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

/// What is remembered from one look at a node to the next, and what follows from it.
///
/// @param firstMet since when thresholds are met
/// @param lastSeen when conditions were last true
/// @param due thresholds whose grace is over: pods have to go
/// @param pressures conditions that the node shows
public record PressureWatch(
    Map<Threshold, Instant> firstMet,
    Map<Pressure, Instant> lastSeen,
    List<Threshold> due,
    Set<Pressure> pressures) {
  public static final PressureWatch CALM =
      new PressureWatch(Map.of(), Map.of(), List.of(), Set.of());

  public PressureWatch {
    firstMet = Map.copyOf(firstMet);
    lastSeen = Map.copyOf(lastSeen);
    due = List.copyOf(due);
    pressures = Set.copyOf(pressures);
  }

  /// One look later.
  public PressureWatch next(PressureRules rules, Readings readings, Instant now) {
    Map<Threshold, Instant> met = new HashMap<>();
    for (Threshold threshold : rules.thresholds()) {
      boolean goesOn =
          due.contains(threshold) && holds(threshold, readings, Threshold::isUnresolved);
      if (goesOn || holds(threshold, readings, Threshold::isMet)) {
        met.put(threshold, firstMet.getOrDefault(threshold, now));
      }
    }
    Map<Pressure, Instant> seen = new EnumMap<>(Pressure.class);
    seen.putAll(lastSeen);
    met.keySet().forEach(threshold -> seen.put(threshold.signal().pressure(), now));
    Set<Pressure> shown = EnumSet.noneOf(Pressure.class);
    seen.forEach(
        (pressure, at) -> {
          if (at.equals(now) || Duration.between(at, now).compareTo(rules.transition()) < 0) {
            shown.add(pressure);
          }
        });
    return new PressureWatch(met, seen, due(met, now), shown);
  }

  /// Memory first, then in the order of the signals; a hard threshold before a soft one.
  private static List<Threshold> due(Map<Threshold, Instant> met, Instant now) {
    List<Threshold> due = new ArrayList<>();
    met.forEach(
        (threshold, since) -> {
          if (Duration.between(since, now).compareTo(threshold.grace()) >= 0) {
            due.add(threshold);
          }
        });
    due.sort(Comparator.comparing(Threshold::signal).thenComparing(Threshold::grace));
    return due;
  }

  /// Whether, after something was had back, there is enough of everything again.
  public static boolean isCalm(PressureRules rules, Readings readings) {
    return rules.thresholds().stream()
        .noneMatch(threshold -> holds(threshold, readings, Threshold::isUnresolved));
  }

  private static boolean holds(
      Threshold threshold, Readings readings, BiPredicate<Threshold, Reading> rule) {
    Reading reading = readings.signals().get(threshold.signal());
    return reading != null && rule.test(threshold, reading);
  }
}
