package dev.berth.agent.images;

import java.time.Duration;

/// The settings of image garbage collection.
///
/// @param highPercent disk usage at which image garbage collection starts
/// @param lowPercent disk usage at which image garbage collection stops
/// @param minimumAge minimum age of an unused image before it is removed
/// @param period the interval between two checks of the disks
public record CollectionRules(
    int highPercent, int lowPercent, Duration minimumAge, Duration period) {
  public static final CollectionRules STANDARD =
      new CollectionRules(85, 80, Duration.ofMinutes(2), Duration.ofMinutes(5));
}
