package dev.berth.agent.images;

import java.time.Duration;

/// When images that nobody uses are taken away.
///
/// @param highPercent of the disk in use: from here on images are removed
/// @param lowPercent until so much is in use
/// @param minimumAge younger images stay
/// @param period between two looks at the disks
public record CollectionRules(
    int highPercent, int lowPercent, Duration minimumAge, Duration period) {
  public static final CollectionRules STANDARD =
      new CollectionRules(85, 80, Duration.ofMinutes(2), Duration.ofMinutes(5));
}
