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

/// A running scheduler.
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
    // Owned here and closed last: the reflectors schedule their back-off on it.
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

  /// Starts scheduling and returns at once; it waits for the server itself.
  ///
  /// @param client stays open when the scheduler is closed
  /// @param profile whose pods it schedules, and how
  /// @param random must be safe for many threads, as [java.util.Random] is
  public static RunningScheduler start(
      ApiClient client,
      SchedulerProfile profile,
      SchedulerMetrics metrics,
      InstantSource clock,
      RandomGenerator random) {
    return new RunningScheduler(client, profile, metrics, clock, random);
  }

  /// Schedules on one of several processes; those with the same scheduler names use leader
  /// election.
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

  /// A scheduler for the default name uses upstream's lease, so that Berth's and an upstream
  /// scheduler never work at the same time. A scheduler with other names has its own lease and does
  /// not wait for that one.
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
