package dev.berth.agent.events;

import io.fabric8.kubernetes.api.model.Pod;

/// Tells users what happens to their pods; never blocks.
public interface PodEvents {
  /// Tells nobody.
  PodEvents NONE = (_, _, _, _, _) -> {};

  /// Tells of something that happened.
  ///
  /// @param container the name, or empty when it is about the whole pod
  void tell(Pod pod, String container, boolean warning, String reason, String message);

  default void normal(Pod pod, String container, String reason, String message) {
    tell(pod, container, false, reason, message);
  }

  default void warning(Pod pod, String container, String reason, String message) {
    tell(pod, container, true, reason, message);
  }
}
