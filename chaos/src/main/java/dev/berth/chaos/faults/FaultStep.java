package dev.berth.chaos.faults;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/// Faults that begin together.
///
/// @param seed the seed for variations of the faults
/// @param hold how long the faults last
/// @param rest how long the system stays undisturbed after it has recovered
public record FaultStep(
    int number, List<FaultOption> faults, long seed, Duration hold, Duration rest) {
  public FaultStep {
    faults = List.copyOf(faults);
  }

  @Override
  public String toString() {
    return "step %d: %s for %d ms"
        .formatted(
            number,
            faults.stream().map(FaultOption::toString).collect(Collectors.joining(" and ")),
            hold.toMillis());
  }
}
