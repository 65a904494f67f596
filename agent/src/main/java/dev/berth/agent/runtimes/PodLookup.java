package dev.berth.agent.runtimes;

import dev.berth.api.Problem;

/// The runtime service of a pod, as far as this node knows.
public sealed interface PodLookup {
  record Found(RuntimeEndpoint service, String handler) implements PodLookup {}

  /// The pod was never bound, or was released.
  record NotBound() implements PodLookup {}

  /// The pod's service is no longer registered on this node: its state is unknown and it cannot be
  /// ended.
  record Gone(String service) implements PodLookup {}

  /// The pod may be at a service that does not answer or is about to be registered: it is neither
  /// reported dead nor started elsewhere.
  ///
  /// @param isBound whether it is known to be bound to such a service
  record Unknown(Problem problem, boolean isBound) implements PodLookup {}
}
