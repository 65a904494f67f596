package dev.berth.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Amounts by resource name, sorted by name; immutable.
public final class ResourceAmounts {
  public static final ResourceAmounts NONE = new ResourceAmounts(Map.of());

  private static final Quantity ZERO = Quantity.ofMilli(0);

  private final Map<String, Quantity> amounts;

  private ResourceAmounts(Map<String, Quantity> amounts) {
    this.amounts = Collections.unmodifiableMap(amounts);
  }

  /// Reads a map such as `requests`; values that are no quantities are ignored.
  public static ResourceAmounts of(JsonNode map) {
    if (map.isEmpty()) {
      return NONE;
    }
    Map<String, Quantity> amounts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      Quantity.parse(entry.getValue().asText())
          .ifPresent(quantity -> amounts.put(entry.getKey(), quantity));
    }
    return new ResourceAmounts(amounts);
  }

  public static ResourceAmounts of(Map<String, Quantity> amounts) {
    return new ResourceAmounts(new TreeMap<>(amounts));
  }

  public Set<String> names() {
    return amounts.keySet();
  }

  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  public Map<String, Quantity> asMap() {
    return amounts;
  }

  /// The amount of a resource; null when there is none.
  public @Nullable Quantity get(String name) {
    return amounts.get(name);
  }

  public Quantity orZero(String name) {
    return amounts.getOrDefault(name, ZERO);
  }

  /// The sums by resource; the result has the resources of both.
  public ResourceAmounts plus(ResourceAmounts other) {
    return merged(other, Quantity::plus);
  }

  /// The maximum by resource; the result has the resources of both.
  public ResourceAmounts max(ResourceAmounts other) {
    return merged(other, (one, two) -> one.compareTo(two) >= 0 ? one : two);
  }

  private ResourceAmounts merged(ResourceAmounts other, BinaryOperator<Quantity> both) {
    if (other.isEmpty()) {
      return this;
    }
    Map<String, Quantity> merged = new TreeMap<>(amounts);
    other.amounts.forEach((name, quantity) -> merged.merge(name, quantity, both));
    return new ResourceAmounts(merged);
  }

  /// The differences by resource; they may be negative.
  public ResourceAmounts minus(ResourceAmounts other) {
    Map<String, Quantity> differences = new TreeMap<>(amounts);
    other.amounts.forEach(
        (name, quantity) -> differences.merge(name, quantity.negated(), Quantity::plus));
    return new ResourceAmounts(differences);
  }

  /// These amounts, replaced by those of the other where it has the resource.
  public ResourceAmounts with(ResourceAmounts other) {
    return merged(other, (_, two) -> two);
  }

  public ResourceAmounts only(Predicate<String> names) {
    Map<String, Quantity> kept = new TreeMap<>(amounts);
    kept.keySet().removeIf(names.negate());
    return new ResourceAmounts(kept);
  }

  /// These amounts without those of zero or less.
  public ResourceAmounts positive() {
    Map<String, Quantity> kept = new TreeMap<>(amounts);
    kept.values().removeIf(quantity -> quantity.signum() <= 0);
    return new ResourceAmounts(kept);
  }

  /// These amounts, with zero in place of negative ones.
  public ResourceAmounts atLeastZero() {
    Map<String, Quantity> raised = new TreeMap<>(amounts);
    raised.replaceAll((_, quantity) -> quantity.signum() < 0 ? ZERO : quantity);
    return new ResourceAmounts(raised);
  }

  /// Writes the amounts into a map of an object, in their canonical text.
  public void writeTo(ObjectNode map) {
    amounts.forEach((name, quantity) -> map.put(name, quantity.toString()));
  }

  /// `cpu=1,memory=2Gi`, as messages show amounts.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    amounts.forEach(
        (name, quantity) ->
            text.append(text.isEmpty() ? "" : ",").append(name).append('=').append(quantity));
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResourceAmounts amountsToo && amounts.equals(amountsToo.amounts);
  }

  @Override
  public int hashCode() {
    return amounts.hashCode();
  }
}
