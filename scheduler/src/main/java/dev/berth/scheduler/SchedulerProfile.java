package dev.berth.scheduler;

import dev.berth.scheduler.model.ClassScheduling;
import java.util.Set;

/// Whose pods a scheduler places, and by which choices.
///
/// @param names of pods' `spec.schedulerName`
/// @param classes which nodes do for pods of a RuntimeClass that does not say so itself
public record SchedulerProfile(Set<String> names, ClassScheduling classes) {
  /// That of pods which name no scheduler.
  public static final SchedulerProfile DEFAULT =
      new SchedulerProfile(RunningScheduler.DEFAULT_NAMES, ClassScheduling.OFFERED);

  public SchedulerProfile {
    names = Set.copyOf(names);
  }

  public SchedulerProfile with(ClassScheduling other) {
    return new SchedulerProfile(names, other);
  }
}
