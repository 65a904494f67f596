package dev.berth.agent.pressure;

import dev.berth.api.Quantity;
import java.util.Optional;

/// An amount: a number, or a part of the capacity.
public record ThresholdValue(long number, double part) {
  public static final ThresholdValue NOTHING = new ThresholdValue(0, 0);

  /// Parses `100Mi` or `5%`; empty when it is neither.
  static Optional<ThresholdValue> parse(String text) {
    if (!text.endsWith("%")) {
      return Quantity.parse(text).map(quantity -> new ThresholdValue(quantity.value(), 0));
    }
    String number = text.substring(0, text.length() - 1);
    return number.matches("-?[0-9]{1,9}(\\.[0-9]{1,9})?")
        ? Optional.of(new ThresholdValue(0, Double.parseDouble(number) / 100))
        : Optional.empty();
  }

  public long of(long capacity) {
    return part > 0 ? (long) (part * capacity) : number;
  }
}
