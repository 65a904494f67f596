package dev.berth.scheduler;

import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.client.LeaderElection;
import dev.berth.client.ObjectKey;
import dev.berth.scheduler.model.PodInfo;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// A scheduler, running.
public final class RunningScheduler implements AutoCloseable {
  /// The profile of pods that name none.
  public static final Set<String> DEFAULT_NAMES = Set.of(PodInfo.DEFAULT_SCHEDULER);

  private final DelayedActions delays;
  private final SchedulingState state;
  private final Scheduler scheduler;

  private RunningScheduler(
      ApiClient client,
      SchedulerProfile profile,
      SchedulerMetrics metrics,
      InstantSource clock,
      RandomGenerator random) {
    this.delays = DelayedActions.realTime();
    this.state = new SchedulingState(profile, clock, metrics);
    metrics.watch(state);
    this.scheduler =
        new Scheduler(
            state,
            new ClusterFeed(client, state, delays, random),
            (pod, node) -> client.bind(pod.pod().key(), pod.pod().uid(), node),
            new SchedulingReporter(client, clock),
            metrics);
  }

  /// Starts scheduling; returns at once, it finds the server when it is there.
  ///
  /// @param client stays open when the scheduler is closed
  /// @param profile whose pods it schedules, and how
  /// @param random used by many threads, as [java.util.Random] may be
  public static RunningScheduler start(
      ApiClient client,
      SchedulerProfile profile,
      SchedulerMetrics metrics,
      InstantSource clock,
      RandomGenerator random) {
    return new RunningScheduler(client, profile, metrics, clock, random);
  }

  /// Schedules on one of several processes; those take turns that schedule the same names.
  ///
  /// @param identity of this process, different from that of every other
  public static LeaderElection startElected(
      ApiClient client,
      String identity,
      SchedulerProfile profile,
      SchedulerMetrics metrics,
      InstantSource clock,
      RandomGenerator random) {
    return LeaderElection.start(
        client,
        lease(profile.names()),
        identity,
        LeaderElection.Timing.USUAL,
        clock,
        () -> start(client, profile, metrics, clock, random));
  }

  /// Who schedules for the usual name shares upstream's lease, so that Berth's and an upstream
  /// scheduler never do it both; a scheduler of other names beside that one must not wait for it.
  static ObjectKey lease(Set<String> names) {
    boolean isUsual = !Collections.disjoint(names, DEFAULT_NAMES);
    return new ObjectKey(
        "kube-system",
        isUsual ? "kube-scheduler" : "berth-scheduler-" + String.join("-", new TreeSet<>(names)));
  }

  @Override
  public void close() {
    scheduler.close();
    delays.close();
  }
}
