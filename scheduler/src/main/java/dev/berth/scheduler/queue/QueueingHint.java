package dev.berth.scheduler.queue;

import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import java.util.Set;
import java.util.function.Predicate;

/// Something happened that may have made a place for pods that wait.
///
/// Which rule refused a pod does not decide alone: on every node the first refusal hides the
/// others, so a hint asks what could be different now, not what was wrong before.
///
/// @param event as metrics call it
/// @param always wakes pods that were refused for one of these causes
/// @param filter wakes these pods, whatever they were refused for
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
