package dev.berth.agent.pods.observed;

import java.time.Duration;

/// Receives changes of pods at a service; must not block.
public interface ObservationListener {
  /// The observed state of a pod changed.
  void changed(String podUid);

  /// The service answers after it did not. Its lists are complete from now on.
  void regained();

  /// A list is complete.
  default void listed(Duration took) {}
}
