package dev.berth.server.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks pods against policies.
///
/// The restricted level consists of the baseline controls, except those that a restricted control
/// overrides, and the restricted controls.
///
/// The lists for every version are made once; an evaluation only runs checks. Safe for any number
/// of threads.
public final class PolicyEvaluator {
  /// The newest version that changed a control; later versions and `latest` are equal to it.
  public static final int NEWEST =
      PolicyChecks.ALL.stream().mapToInt(control -> control.versions().lastKey()).max().orElse(0);

  private static final PolicyVerdict ALLOWED = new PolicyVerdict(List.of());

  /// By minor version.
  private final List<List<PodCheck>> baseline = new ArrayList<>();

  private final List<List<PodCheck>> restricted = new ArrayList<>();

  public PolicyEvaluator() {
    for (int minor = 0; minor <= NEWEST; minor++) {
      baseline.add(checks(minor, PolicyLevel.BASELINE));
      restricted.add(checks(minor, PolicyLevel.RESTRICTED));
    }
  }

  private static List<PodCheck> checks(int minor, PolicyLevel level) {
    List<PolicyChecks.Control> present =
        PolicyChecks.ALL.stream()
            .filter(control -> control.level().compareTo(level) <= 0)
            .filter(control -> control.at(minor) != null)
            .toList();
    Set<String> overridden =
        present.stream().map(PolicyChecks.Control::overrides).collect(Collectors.toSet());
    return present.stream()
        .filter(control -> !overridden.contains(control.id()))
        .flatMap(control -> Stream.ofNullable(control.at(minor)))
        .toList();
  }

  /// Checks a pod or a pod template.
  ///
  /// @param metadata metadata of the pod or template
  public PolicyVerdict evaluate(LevelVersion policy, JsonNode metadata, JsonNode spec) {
    int minor = Math.min(policy.version().minor(), NEWEST);
    List<PodCheck> checks =
        switch (policy.level()) {
          case PRIVILEGED -> List.of();
          case BASELINE -> baseline.get(minor);
          case RESTRICTED -> restricted.get(minor);
        };
    if (checks.isEmpty()) {
      return ALLOWED;
    }
    CheckedPod pod = new CheckedPod(metadata, spec);
    return new PolicyVerdict(checks.stream().flatMap(check -> check.check(pod).stream()).toList());
  }
}
