package dev.berth.launch;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.pods.LogRules;
import dev.berth.agent.pods.PodAgentConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What the command line decides about logs and images of a node.
///
/// @param podLogs the folder of all pods' logs, if not below the data folder
/// @param parallelPulls how many images each image service pulls at a time
public record HousekeepingSettings(
    Optional<Path> podLogs, LogRules logs, CollectionRules images, int parallelPulls) {
  public static final HousekeepingSettings USUAL =
      new HousekeepingSettings(
          Optional.empty(), LogRules.STANDARD, CollectionRules.STANDARD, PodAgentConfig.PULLS);

  public HousekeepingSettings withPodLogs(Path folder) {
    return new HousekeepingSettings(Optional.of(folder), logs, images, parallelPulls);
  }
}
