package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/// Amounts of resources: CPU in thousandths, everything else in whole units.
///
/// @param extended by name: huge pages, devices and whatever else nodes count
public record Amounts(long cpu, long memory, long storage, Map<String, Long> extended) {
  public static final Amounts NONE = new Amounts(0, 0, 0, Map.of());

  public Amounts {
    extended = Map.copyOf(extended);
  }

  /// Reads a map of quantities; the number of pods is not among them.
  public static Amounts parse(JsonNode quantities) {
    if (quantities.isEmpty()) {
      return NONE;
    }
    long cpu = 0;
    long memory = 0;
    long storage = 0;
    Map<String, Long> extended = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : quantities.properties()) {
      Quantity quantity = Quantity.parse(entry.getValue().asText()).orElse(Quantity.ofMilli(0));
      switch (entry.getKey()) {
        case "cpu" -> cpu = quantity.milli();
        case "memory" -> memory = quantity.value();
        case "ephemeral-storage" -> storage = quantity.value();
        case "pods" -> {
          // A node's limit on pods is read by NodeInfo; nobody requests it.
        }
        default -> extended.put(entry.getKey(), quantity.value());
      }
    }
    return new Amounts(cpu, memory, storage, extended);
  }

  public Amounts plus(Amounts other) {
    return combine(other, Long::sum);
  }

  public Amounts minus(Amounts other) {
    return combine(other, (a, b) -> a - b);
  }

  public Amounts max(Amounts other) {
    return combine(other, Math::max);
  }

  private Amounts combine(Amounts other, LongBinaryOperator operator) {
    return new Amounts(
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
    // Equal amounts must be equal values, or else nodes with the same use would look different.
    all.values().removeIf(amount -> amount == 0);
    return all;
  }

  public long extended(String name) {
    return extended.getOrDefault(name, 0L);
  }
}
