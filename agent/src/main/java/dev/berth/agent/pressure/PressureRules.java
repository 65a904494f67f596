package dev.berth.agent.pressure;

import java.time.Duration;
import java.util.List;

/// When a node is short of something, and how pods are treated then.
///
/// @param transition how long a condition stays after it was last true
/// @param longestGrace what a pod gets at most to end, at a soft threshold
/// @param period how often the node is looked at
public record PressureRules(
    List<EvictionThreshold> thresholds,
    Duration transition,
    Duration longestGrace,
    Duration period) {
  /// The kubelet's, which nobody can change there either.
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

  /// Of a node that is never short of anything.
  public static final PressureRules NONE =
      new PressureRules(List.of(), STANDARD.transition(), STANDARD.longestGrace());

  /// Looked at as often as usual.
  public PressureRules(
      List<EvictionThreshold> thresholds, Duration transition, Duration longestGrace) {
    this(thresholds, transition, longestGrace, PERIOD);
  }

  public PressureRules {
    thresholds = List.copyOf(thresholds);
  }

  /// What is kept from pods, because below it they would be evicted.
  public long kept(EvictionSignal signal, long capacity) {
    return thresholds.stream()
        .filter(threshold -> threshold.isHard() && threshold.signal() == signal)
        .mapToLong(threshold -> threshold.least().of(capacity))
        .max()
        .orElse(0);
  }
}
