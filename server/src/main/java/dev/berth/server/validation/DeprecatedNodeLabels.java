package dev.berth.server.validation;

import java.util.Map;
import java.util.Optional;

/// Node labels that have a successor.
public final class DeprecatedNodeLabels {
  private static final Map<String, String> ADVICE =
      Map.of(
          "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead");

  private DeprecatedNodeLabels() {}

  /// What to use instead of the label, if it is deprecated.
  public static Optional<String> advice(String label) {
    return Optional.ofNullable(ADVICE.get(label));
  }
}
