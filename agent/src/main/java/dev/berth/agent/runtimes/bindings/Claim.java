package dev.berth.agent.runtimes.bindings;

import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxState;
import java.util.Comparator;

/// A runtime service has a sandbox of a pod.
///
/// @param createdAt nanoseconds since the epoch
record Claim(
    String podUid,
    String service,
    String handler,
    String sandboxId,
    boolean ready,
    long createdAt) {
  /// The best claim first: a sandbox that runs, then the newest; names decide what is left, so that
  /// every agent decides alike.
  static final Comparator<Claim> BEST_FIRST =
      Comparator.comparing(Claim::ready)
          .thenComparingLong(Claim::createdAt)
          .reversed()
          .thenComparing(Claim::service)
          .thenComparing(Claim::sandboxId);

  static Claim of(String service, PodSandbox sandbox) {
    return new Claim(
        sandbox.getMetadata().getUid(),
        service,
        sandbox.getRuntimeHandler(),
        sandbox.getId(),
        sandbox.getState() == PodSandboxState.SANDBOX_READY,
        sandbox.getCreatedAt());
  }

  Binding binding() {
    return new Binding(podUid, service, handler);
  }
}
