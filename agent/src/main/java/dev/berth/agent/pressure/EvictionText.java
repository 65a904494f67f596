package dev.berth.agent.pressure;

import dev.berth.agent.pressure.PodUsage.OfContainer;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.api.Quantity;
import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Eviction messages, in the kubelet's words.
public final class EvictionText {
  private EvictionText() {}

  /// The message for a pod that is evicted because the node is short of a resource.
  public static String of(
      EvictionCandidate candidate, EvictionThreshold threshold, SignalReadings readings) {
    EvictionSignal signal = threshold.signal();
    String text = "The node was low on resource: %s. ".formatted(signal.resource());
    Reading reading = readings.signals().get(signal);
    if (reading != null) {
      boolean isBinary =
          signal.resource().equals("memory") || signal.resource().equals("ephemeral-storage");
      text +=
          "Threshold quantity: %s, available: %s. "
              .formatted(
                  number(threshold.least().of(reading.capacity()), isBinary),
                  number(reading.available(), isBinary));
    }
    var spec = candidate.pod().getSpec();
    return text
        + Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream())
            .map(container -> guilty(container, candidate, signal.resource()))
            .flatMap(Optional::stream)
            .collect(Collectors.joining());
  }

  private static Optional<String> guilty(
      Container container, EvictionCandidate candidate, String resource) {
    PodUsage all = candidate.use();
    OfContainer use = all == null ? null : all.containers().get(container.getName());
    if (use == null) {
      return Optional.empty();
    }
    long used =
        switch (resource) {
          case "memory" -> use.memory();
          case "ephemeral-storage" -> use.layer().bytes() + use.logs().bytes();
          default -> 0;
        };
    Quantity request = ContainerView.of(container).requests().orZero(resource);
    return used > request.value()
        ? Optional.of(
            "Container %s was using %s, request is %s, has larger consumption of %s. "
                .formatted(container.getName(), number(used, true), request, resource))
        : Optional.empty();
  }

  /// The message for a pod that is rejected under pressure.
  public static String refusal(Set<PressureCondition> pressures) {
    return "The node had condition: [%s]. "
        .formatted(
            pressures.stream()
                .sorted()
                .map(PressureCondition::condition)
                .collect(Collectors.joining(" ")));
  }

  private static String number(long value, boolean isBinary) {
    return isBinary ? Quantity.ofBytes(value).toString() : Long.toString(value);
  }
}
