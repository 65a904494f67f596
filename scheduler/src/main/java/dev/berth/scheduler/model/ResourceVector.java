package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.ResourceAmounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/// Amounts of resources: CPU in millicores, everything else in whole units.
///
/// @param extended by name: huge pages and extended resources
public record ResourceVector(long cpu, long memory, long storage, Map<String, Long> extended) {
  public static final ResourceVector NONE = new ResourceVector(0, 0, 0, Map.of());

  public ResourceVector {
    extended = Map.copyOf(extended);
  }

  /// Reads a map of quantities without the number of pods.
  public static ResourceVector parse(JsonNode quantities) {
    return of(ResourceAmounts.of(quantities));
  }

  static ResourceVector of(ResourceAmounts amounts) {
    if (amounts.isEmpty()) {
      return NONE;
    }
    Map<String, Long> extended = new HashMap<>();
    amounts.asMap().forEach((name, quantity) -> extended.put(name, quantity.value()));
    List.of("cpu", "memory", "ephemeral-storage", "pods").forEach(extended::remove);
    return new ResourceVector(
        amounts.orZero("cpu").milli(),
        amounts.orZero("memory").value(),
        amounts.orZero("ephemeral-storage").value(),
        extended);
  }

  public ResourceVector plus(ResourceVector other) {
    return combine(other, Long::sum);
  }

  public ResourceVector minus(ResourceVector other) {
    return combine(other, (a, b) -> a - b);
  }

  public ResourceVector max(ResourceVector other) {
    return combine(other, Math::max);
  }

  private ResourceVector combine(ResourceVector other, LongBinaryOperator operator) {
    return new ResourceVector(
        operator.applyAsLong(cpu, other.cpu),
        operator.applyAsLong(memory, other.memory),
        operator.applyAsLong(storage, other.storage),
        combine(extended, other.extended, operator));
  }

  private static Map<String, Long> combine(
      Map<String, Long> one, Map<String, Long> other, LongBinaryOperator operator) {
    if (one.isEmpty() && other.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> all = new HashMap<>();
    one.forEach(
        (name, amount) ->
            all.put(name, operator.applyAsLong(amount, other.getOrDefault(name, 0L))));
    other.forEach((name, amount) -> all.putIfAbsent(name, operator.applyAsLong(0, amount)));
    // Zero amounts are dropped, so that equal amounts are equal values and nodes with equal use
    // share a group.
    all.values().removeIf(amount -> amount == 0);
    return all;
  }

  public long extended(String name) {
    return extended.getOrDefault(name, 0L);
  }
}
