package dev.berth.agent.pods.observed;

import java.time.Duration;

/// Told what is new about pods at a service; must not block.
public interface ObservationListener {
  /// Something new is known about a pod.
  void changed(String podUid);

  /// The service answers (again): what it has is known from here on, of pods it does not have, too.
  void regained();

  /// The service told everything it has.
  default void listed(Duration took) {}
}
