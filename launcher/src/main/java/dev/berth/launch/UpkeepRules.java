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
public record UpkeepRules(
    Optional<Path> podLogs, LogRules logs, CollectionRules images, int parallelPulls) {
  public static final UpkeepRules USUAL =
      new UpkeepRules(
          Optional.empty(), LogRules.STANDARD, CollectionRules.STANDARD, PodAgentConfig.PULLS);

  public UpkeepRules withPodLogs(Path folder) {
    return new UpkeepRules(Optional.of(folder), logs, images, parallelPulls);
  }
}
