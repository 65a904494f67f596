package dev.berth.server.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/// Everything that a policy has against a pod.
public final class PolicyVerdict {
  private final List<PolicyViolation> violations;

  PolicyVerdict(List<PolicyViolation> violations) {
    this.violations = List.copyOf(violations);
  }

  public boolean isAllowed() {
    return violations.isEmpty();
  }

  /// What is wrong, without the names of containers and their values.
  public String reasons() {
    return violations.stream().map(PolicyViolation::reason).collect(Collectors.joining(", "));
  }

  /// What is wrong and where.
  public String details() {
    return violations.stream().map(PolicyViolation::toString).collect(Collectors.joining(", "));
  }
}
