package dev.berth.scheduler.queue;

import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import java.util.Set;
import java.util.function.Predicate;

/// An event that may make waiting pods schedulable.
///
/// The rule that refused a pod does not decide alone: on every node the first refusal hides the
/// others, so a hint asks what may be different now.
///
/// @param event its name in metrics
/// @param always wakes pods that were refused for one of these causes
/// @param filter wakes these pods, whatever the cause of their refusal
public record QueueingHint(String event, Set<RefusalCause> always, Predicate<PodInfo> filter) {
  boolean couldHelp(QueuedPod waiting) {
    for (RefusalCause cause : always) {
      if (waiting.causes().contains(cause)) {
        return true;
      }
    }
    return filter.test(waiting.pod());
  }
}
