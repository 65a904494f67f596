package dev.berth.agent.events;

import io.fabric8.kubernetes.api.model.Pod;

/// Records events about pods; never blocks.
public interface PodEvents {
  /// Drops all events.
  PodEvents NONE = (_, _, _, _, _) -> {};

  /// Records an event.
  ///
  /// @param container its name, or empty for the whole pod
  void publish(Pod pod, String container, boolean warning, String reason, String message);

  default void normal(Pod pod, String container, String reason, String message) {
    publish(pod, container, false, reason, message);
  }

  default void warning(Pod pod, String container, String reason, String message) {
    publish(pod, container, true, reason, message);
  }
}
