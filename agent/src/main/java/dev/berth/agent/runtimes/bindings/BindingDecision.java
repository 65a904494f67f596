package dev.berth.agent.runtimes.bindings;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Decides to which service a pod belongs, from the record and the services' claims.
///
/// @param owner null when no service claims the pod
/// @param rivals other services that have a sandbox of it
record BindingDecision(@Nullable PodBinding owner, List<SandboxClaim> rivals) {
  BindingDecision {
    rivals = List.copyOf(rivals);
  }

  /// The origin of a binding, which decides what can change it.
  enum Standing {
    /// Made or used since the agent's start: final.
    CONFIRMED,
    /// Read from the record: final unless its service has no sandbox of the pod while another one
    /// has, or is no longer registered.
    RECORDED,
    /// From a service's claim: a better claim may replace it.
    CLAIMED
  }

  /// @param current null when the pod is not bound
  /// @param claims of this pod, by the services that have answered
  /// @param hasNothingElse whether a service has no pods but those that it claims
  static BindingDecision decide(
      @Nullable PodBinding current,
      Standing standing,
      List<SandboxClaim> claims,
      Predicate<String> hasNothingElse) {
    List<SandboxClaim> ranked = claims.stream().sorted(SandboxClaim.BEST_FIRST).toList();
    PodBinding owner = current;
    if (!ranked.isEmpty()
        && (current == null || isOpen(current, standing, ranked, hasNothingElse))) {
      owner = ranked.getFirst().binding();
    }
    String ownerName = owner == null ? "" : owner.service();
    return new BindingDecision(
        owner, ranked.stream().filter(claim -> !claim.service().equals(ownerName)).toList());
  }

  private static boolean isOpen(
      PodBinding current,
      Standing standing,
      List<SandboxClaim> claims,
      Predicate<String> hasNothingElse) {
    return switch (standing) {
      case CONFIRMED -> false;
      case RECORDED ->
          hasNothingElse.test(current.service())
              && claims.stream().noneMatch(claim -> claim.service().equals(current.service()));
      case CLAIMED -> true;
    };
  }
}
