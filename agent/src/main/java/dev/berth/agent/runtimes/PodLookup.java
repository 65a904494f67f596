package dev.berth.agent.runtimes;

import dev.berth.api.Problem;

/// Where a pod is, as far as this node knows.
public sealed interface PodLookup {
  record Found(RuntimeEndpoint service, String handler) implements PodLookup {}

  /// It was never bound, or is gone.
  record NotBound() implements PodLookup {}

  /// It belongs to a service that is not registered on this node any more: nobody can say what
  /// became of it, or ever end it.
  record Gone(String service) implements PodLookup {}

  /// It may be with a service that does not answer or is about to be registered: neither report it
  /// dead nor start it elsewhere.
  ///
  /// @param isBound whether it is known to belong to such a service
  record Unknown(Problem problem, boolean isBound) implements PodLookup {}
}
