package dev.berth.agent.pods.plan;

import dev.berth.agent.probes.ProbeWorkers.Verdict;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/// What the agent knows about a pod beside what its runtime service reports.
///
/// @param busy the keys of steps in progress
/// @param waitingParts why parts of the pod wait
/// @param crashes by container
/// @param pulled containers whose image is ready for the next start
/// @param verdicts results of probes, by the ids of running containers
/// @param restartCounts which ended containers restart regardless of their restart policy
/// @param stopping containers whose end has begun, by their ids
/// @param unremovable the time since which the runtime service refuses to remove a container, by
///   its id
public record PlanInput(
    Set<StepKey> busy,
    Map<PodPart, ContainerWaiting> waitingParts,
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
    waitingParts = Map.copyOf(waitingParts);
    crashes = Map.copyOf(crashes);
    pulled = Set.copyOf(pulled);
    verdicts = Map.copyOf(verdicts);
    stopping = Map.copyOf(stopping);
    unremovable = Map.copyOf(unremovable);
  }

  /// The verdict of a container's probes; a container without probes is started and alive.
  public Verdict verdict(String containerId) {
    return verdicts.getOrDefault(containerId, Verdict.UNPROBED);
  }
}
