package dev.berth.agent.node.overhead;

import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Decides whether a RuntimeClass declares much less than its sandboxes cost. The scheduler and the
/// limits of pods count on the declared values.
record OverheadShortfall(String runtimeClass, ResourceAmounts declared, SandboxOverhead measured) {
  private static final long MEBIBYTE = 1L << 20;

  /// Tolerated in any case: what the smallest sandboxes of runc take.
  private static final long SMALL_BYTES = 16 * MEBIBYTE;

  private static final long SMALL_MILLI = 50;
  private static final double MUCH = 1.25;

  /// The message of the event; empty when the declared values suffice.
  Optional<String> message() {
    List<String> parts = new ArrayList<>();
    long memory = declared.orZero("memory").value();
    if (isMuchMore(measured.memoryBytes(), memory, SMALL_BYTES)) {
      parts.add(
          "memory %dMi (declared: %s)"
              .formatted(
                  Math.ceilDiv(measured.memoryBytes(), MEBIBYTE), declared.orZero("memory")));
    }
    long cpu = declared.orZero("cpu").milli();
    if (isMuchMore(measured.milliCores().orElse(0), cpu, SMALL_MILLI)) {
      Quantity used = Quantity.ofMilli(measured.milliCores().orElse(0));
      parts.add("cpu %s (declared: %s)".formatted(used, declared.orZero("cpu")));
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("sandboxes of RuntimeClass %s (handler %s) cost more than its overhead declares:"
                    + " %s, the median of %d on this node."
                    + " `berth classes overhead %s` proposes values")
                .formatted(
                    runtimeClass,
                    measured.handler(),
                    String.join(", ", parts),
                    measured.pods(),
                    runtimeClass));
  }

  private static boolean isMuchMore(long measured, long declared, long small) {
    return measured - declared > small && measured > declared * MUCH;
  }
}
