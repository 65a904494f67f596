package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads resource quantities; missing ones are zero.
public final class QuantityReader {
  private static final dev.berth.api.Quantity ZERO = dev.berth.api.Quantity.ofMilli(0);

  private QuantityReader() {}

  public static dev.berth.api.Quantity of(@Nullable Quantity quantity) {
    return quantity == null ? ZERO : dev.berth.api.Quantity.parse(quantity.toString()).orElse(ZERO);
  }

  public static dev.berth.api.Quantity of(
      @Nullable Map<String, Quantity> amounts, String resource) {
    return amounts == null ? ZERO : of(amounts.get(resource));
  }

  static boolean isPositive(@Nullable Quantity quantity) {
    return of(quantity).signum() > 0;
  }

  static boolean equal(@Nullable Quantity one, @Nullable Quantity other) {
    return of(one).equals(of(other));
  }
}
