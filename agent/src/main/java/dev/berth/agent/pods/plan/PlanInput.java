package dev.berth.agent.pods.plan;

import dev.berth.agent.probes.ProbeWorkers.Verdict;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/// What the agent knows of a pod that no runtime service can tell.
///
/// @param busy the keys of the steps that are under way
/// @param troubles by container; that of the sandbox has an empty name
/// @param crashes by container
/// @param pulled the containers whose images were made sure of for the next start
/// @param verdicts what probes say, by the ids of running containers
/// @param resized the resources that containers got after they were made, by their ids
/// @param restartCounts which containers are started again though their policy says nothing of it
/// @param stopping the containers whose hooks were begun because they are to end, by their ids
/// @param unremovable since when the runtime service has refused to remove containers, by their ids
public record PlanInput(
    Set<String> busy,
    Map<String, ContainerWaiting> troubles,
    Map<String, CrashBackoff> crashes,
    Set<String> pulled,
    Map<String, Verdict> verdicts,
    Map<String, String> resized,
    RestartCounts restartCounts,
    Map<String, StoppingContainer> stopping,
    Map<String, Instant> unremovable) {
  public static final String SANDBOX = "";
  public static final PlanInput NONE =
      new PlanInput(
          Set.of(),
          Map.of(),
          Map.of(),
          Set.of(),
          Map.of(),
          Map.of(),
          RestartCounts.OF_ALL,
          Map.of(),
          Map.of());

  public PlanInput {
    busy = Set.copyOf(busy);
    troubles = Map.copyOf(troubles);
    crashes = Map.copyOf(crashes);
    pulled = Set.copyOf(pulled);
    verdicts = Map.copyOf(verdicts);
    resized = Map.copyOf(resized);
    stopping = Map.copyOf(stopping);
    unremovable = Map.copyOf(unremovable);
  }

  /// What probes say about a container; one without probes is started and alive.
  public Verdict verdict(String containerId) {
    return verdicts.getOrDefault(containerId, Verdict.UNPROBED);
  }
}
