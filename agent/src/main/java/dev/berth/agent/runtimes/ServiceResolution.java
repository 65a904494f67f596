package dev.berth.agent.runtimes;

import dev.berth.api.Problem;
import java.time.Duration;

/// What the agent may do with a pod once its handler is known.
public sealed interface ServiceResolution {
  /// The pod belongs to this service, now and for as long as it lives.
  ///
  /// @param handler the one it was bound with
  record Bound(RuntimeEndpoint service, String handler) implements ServiceResolution {}

  /// Nothing is wrong with the pod; a change among the services may come sooner than the time.
  record Retry(Problem problem, Duration after) implements ServiceResolution {}

  /// It cannot run here as it is; the problem says what is offered.
  record Rejected(Problem problem) implements ServiceResolution {}
}
