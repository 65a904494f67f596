package dev.berth.server.audit;

import dev.berth.server.auth.UserInfo;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The audit policy: the first rule that matches a request decides; without a match nothing is
/// recorded.
///
/// Rules do not add up: a later rule never raises or lowers the level of an earlier one. Stages
/// omitted by the policy and by the rule do add up.
public record AuditPolicy(
    List<AuditRule> rules, Set<AuditStage> omitStages, boolean omitManagedFields) {
  private static final Decision NOTHING = new Decision(AuditLevel.NONE, Set.of(), false);

  /// The decision for one request.
  record Decision(AuditLevel level, Set<AuditStage> omitStages, boolean omitManagedFields) {}

  public AuditPolicy {
    rules = List.copyOf(rules);
    omitStages = Set.copyOf(omitStages);
  }

  /// @param user null when authentication failed
  Decision decide(AuditRequest request, @Nullable UserInfo user) {
    for (AuditRule rule : rules) {
      if (rule.matches(request, user)) {
        Set<AuditStage> omitted = EnumSet.noneOf(AuditStage.class);
        omitted.addAll(omitStages);
        omitted.addAll(rule.omitStages());
        return new Decision(
            rule.level(), omitted, rule.omitManagedFields().orElse(omitManagedFields));
      }
    }
    return NOTHING;
  }
}
