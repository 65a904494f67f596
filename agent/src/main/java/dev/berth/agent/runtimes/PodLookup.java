package dev.berth.agent.runtimes;

import dev.berth.api.Problem;

/// Where a pod is, as far as this node knows.
public sealed interface PodLookup {
  record Found(RuntimeEndpoint service, String handler) implements PodLookup {}

  /// It was never bound, or is gone.
  record NotBound() implements PodLookup {}

  /// It may be with a service that does not answer or is not registered: neither report it dead nor
  /// start it elsewhere.
  ///
  /// @param isBound whether it is known to belong to such a service
  record Unknown(Problem problem, boolean isBound) implements PodLookup {}
}
