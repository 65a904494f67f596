package dev.berth.server.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/// All violations of a policy by one pod.
public final class PolicyVerdict {
  private final List<PolicyViolation> violations;

  PolicyVerdict(List<PolicyViolation> violations) {
    this.violations = List.copyOf(violations);
  }

  public boolean isAllowed() {
    return violations.isEmpty();
  }

  /// The reasons, without names of containers and values.
  ///
  /// Pods with equal reasons are listed together.
  public String reasons() {
    return violations.stream().map(PolicyViolation::reason).collect(Collectors.joining(", "));
  }

  /// The reasons with their locations.
  public String details() {
    return violations.stream().map(PolicyViolation::toString).collect(Collectors.joining(", "));
  }
}
