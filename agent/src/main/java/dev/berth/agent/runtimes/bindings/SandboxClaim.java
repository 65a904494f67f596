package dev.berth.agent.runtimes.bindings;

import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxState;
import java.util.Comparator;

/// A runtime service's claim: it has a sandbox of a pod.
///
/// @param createdAt nanoseconds since the epoch
record SandboxClaim(
    String podUid,
    String service,
    String handler,
    String sandboxId,
    boolean ready,
    long createdAt) {
  /// Best claim first: a ready sandbox, then the newest; ties are broken by names, so that every
  /// agent decides alike.
  static final Comparator<SandboxClaim> BEST_FIRST =
      Comparator.comparing(SandboxClaim::ready)
          .thenComparingLong(SandboxClaim::createdAt)
          .reversed()
          .thenComparing(SandboxClaim::service)
          .thenComparing(SandboxClaim::sandboxId);

  static SandboxClaim of(String service, PodSandbox sandbox) {
    return new SandboxClaim(
        sandbox.getMetadata().getUid(),
        service,
        sandbox.getRuntimeHandler(),
        sandbox.getId(),
        sandbox.getState() == PodSandboxState.SANDBOX_READY,
        sandbox.getCreatedAt());
  }

  PodBinding binding() {
    return new PodBinding(podUid, service, handler);
  }
}
