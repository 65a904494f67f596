package dev.berth.agent.pods.plan;

import dev.berth.agent.probes.ProbeWorkers.Verdict;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/// What the agent knows of a pod that no runtime service can tell.
///
/// @param busy the keys of the steps that are under way
/// @param troubles why parts of the pod wait
/// @param crashes by container
/// @param pulled the containers whose images were made sure of for the next start
/// @param verdicts what probes say, by the ids of running containers
/// @param restartCounts which containers are started again though their policy says nothing of it
/// @param stopping the containers whose hooks were begun because they are to end, by their ids
/// @param unremovable since when the runtime service has refused to remove containers, by their ids
public record PlanInput(
    Set<StepKey> busy,
    Map<PodPart, ContainerWaiting> troubles,
    Map<String, CrashBackoff> crashes,
    Set<String> pulled,
    Map<String, Verdict> verdicts,
    ResizedResources resized,
    RestartCounts restartCounts,
    Map<String, StoppingContainer> stopping,
    Map<String, Instant> unremovable) {
  public static final PlanInput NONE =
      new PlanInput(
          Set.of(),
          Map.of(),
          Map.of(),
          Set.of(),
          Map.of(),
          ResizedResources.NONE,
          RestartCounts.OF_ALL,
          Map.of(),
          Map.of());

  public PlanInput {
    busy = Set.copyOf(busy);
    troubles = Map.copyOf(troubles);
    crashes = Map.copyOf(crashes);
    pulled = Set.copyOf(pulled);
    verdicts = Map.copyOf(verdicts);
    stopping = Map.copyOf(stopping);
    unremovable = Map.copyOf(unremovable);
  }

  /// What probes say about a container; one without probes is started and alive.
  public Verdict verdict(String containerId) {
    return verdicts.getOrDefault(containerId, Verdict.UNPROBED);
  }
}
