package dev.berth.scheduler;

import dev.berth.scheduler.model.ClassScheduling;
import java.util.Set;

/// The pods that a scheduler is responsible for, and its settings.
///
/// Pods of other names are not queued, yet they count on their nodes like all others.
///
/// @param names the values of `spec.schedulerName` of its pods
/// @param classes the default of [ClassScheduling] for RuntimeClasses without the annotation
public record SchedulerProfile(Set<String> names, ClassScheduling classes) {
  /// The name of pods that name no scheduler.
  public static final SchedulerProfile DEFAULT =
      new SchedulerProfile(RunningScheduler.DEFAULT_NAMES, ClassScheduling.OFFERED);

  public SchedulerProfile {
    names = Set.copyOf(names);
  }

  public SchedulerProfile with(ClassScheduling other) {
    return new SchedulerProfile(names, other);
  }
}
