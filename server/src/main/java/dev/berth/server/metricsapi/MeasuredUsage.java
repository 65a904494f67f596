package dev.berth.server.metricsapi;

import dev.berth.server.metricsapi.NodeSample.ContainerName;
import dev.berth.server.metricsapi.NodeSample.Counters;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Resource usage of a node and its containers: current memory, and CPU on average over a window.
///
/// CPU is a counter, so a rate needs two samples; memory is a state, so the later sample counts.
///
/// @param containers those that ran during the whole window
record MeasuredUsage(
    Instant time, Duration window, Optional<Amount> node, Map<ContainerName, Amount> containers) {
  private static final double NANO = 1e9;

  MeasuredUsage {
    containers = Map.copyOf(containers);
  }

  /// @param nanoCores billionths of a processor
  /// @param memory in bytes
  record Amount(long nanoCores, long memory) {}

  static MeasuredUsage between(NodeSample earlier, NodeSample later) {
    Duration window = Duration.between(earlier.time(), later.time());
    Map<ContainerName, Amount> containers = new HashMap<>();
    later
        .containers()
        .forEach(
            (name, counters) ->
                amount(earlier.containers().get(name), counters, window)
                    .ifPresent(amount -> containers.put(name, amount)));
    return new MeasuredUsage(
        later.time(), window, amount(earlier.node(), later.node(), window), containers);
  }

  /// Empty after a restart in between, because the counter was reset.
  private static Optional<Amount> amount(
      @Nullable Counters earlier, Counters later, Duration window) {
    // Written without `<`, because every comparison with NaN is false.
    if (earlier == null || !(later.cpu() >= earlier.cpu()) || !(later.memory() >= 0)) {
      return Optional.empty();
    }
    double seconds = window.toNanos() / NANO;
    return Optional.of(
        new Amount(
            Math.round((later.cpu() - earlier.cpu()) / seconds * NANO), (long) later.memory()));
  }
}
