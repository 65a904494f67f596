package dev.berth.agent.runtimes;

import dev.berth.api.Problem;
import java.time.Duration;

/// The result of choosing a runtime service for a pod.
public sealed interface ServiceResolution {
  /// The pod is bound to this service for its lifetime.
  ///
  /// @param handler the handler it was bound with
  record Bound(RuntimeEndpoint service, String handler) implements ServiceResolution {}

  /// The pod can be bound later; a change among the services may come before the time is over.
  record Retry(Problem problem, Duration after) implements ServiceResolution {}

  /// The pod cannot run on this node as it is; the problem lists what is offered.
  record Rejected(Problem problem) implements ServiceResolution {}
}
