package dev.berth.agent.probes;

import io.fabric8.kubernetes.api.model.Probe;
import java.util.Objects;

/// Counts consecutive results until a threshold changes the verdict.
///
/// @param passes the current verdict
/// @param inARow consecutive equal results
record ProbeTally(boolean passes, boolean lastPassed, int inARow) {
  /// Kubernetes' default of `failureThreshold`, for pods that no API server defaulted.
  private static final int STANDARD_FAILURES = 3;

  static ProbeTally startingWith(boolean passes) {
    return new ProbeTally(passes, passes, 0);
  }

  ProbeTally after(ProbeResult result, Probe probe) {
    if (result instanceof ProbeResult.Unknown || result instanceof ProbeResult.Errored) {
      return this;
    }
    boolean passed = result instanceof ProbeResult.Success;
    int count = passed == lastPassed ? inARow + 1 : 1;
    int enough =
        passed
            ? Objects.requireNonNullElse(probe.getSuccessThreshold(), 1)
            : Objects.requireNonNullElse(probe.getFailureThreshold(), STANDARD_FAILURES);
    return new ProbeTally(count >= enough ? passed : passes, passed, count);
  }
}
