package dev.berth.agent.pressure;

import java.time.Duration;
import java.util.List;

/// The eviction settings of a node.
///
/// @param transition how long a condition stays after it was last true
/// @param longestGrace bounds the grace period of pods that are evicted at a soft threshold
/// @param period the interval between readings
public record PressureRules(
    List<EvictionThreshold> thresholds,
    Duration transition,
    Duration longestGrace,
    Duration period) {
  /// The kubelet's default thresholds.
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /// The kubelet's.
  public static final List<EvictionThreshold> HARD =
      List.of(
          EvictionThreshold.hard(EvictionSignal.MEMORY, new ThresholdValue(100L << 20, 0)),
          EvictionThreshold.hard(EvictionSignal.NODE_DISK, new ThresholdValue(0, 0.1)),
          EvictionThreshold.hard(EvictionSignal.NODE_INODES, new ThresholdValue(0, 0.05)),
          EvictionThreshold.hard(EvictionSignal.IMAGE_DISK, new ThresholdValue(0, 0.15)),
          EvictionThreshold.hard(EvictionSignal.IMAGE_INODES, new ThresholdValue(0, 0.05)));

  public static final PressureRules STANDARD =
      new PressureRules(HARD, Duration.ofMinutes(5), Duration.ZERO);

  /// Settings without thresholds.
  public static final PressureRules NONE =
      new PressureRules(List.of(), STANDARD.transition(), STANDARD.longestGrace());

  /// Settings with the default interval.
  public PressureRules(
      List<EvictionThreshold> thresholds, Duration transition, Duration longestGrace) {
    this(thresholds, transition, longestGrace, PERIOD);
  }

  public PressureRules {
    thresholds = List.copyOf(thresholds);
  }

  /// The amount that pods cannot use, because they would be evicted below it.
  public long kept(EvictionSignal signal, long capacity) {
    return thresholds.stream()
        .filter(threshold -> threshold.isHard() && threshold.signal() == signal)
        .mapToLong(threshold -> threshold.least().of(capacity))
        .max()
        .orElse(0);
  }
}
