package dev.berth.launch.agent;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.pods.logs.LogRules;
import java.nio.file.Path;
import java.util.Optional;

/// What the command line decides about logs and images of a node.
///
/// @param podLogs the directory of all pods' logs, if not below the data directory
/// @param parallelPulls how many images each image service pulls at a time
public record HousekeepingSettings(
    Optional<Path> podLogs, LogRules logs, CollectionRules images, int parallelPulls) {
  public static final HousekeepingSettings USUAL =
      new HousekeepingSettings(
          Optional.empty(), LogRules.STANDARD, CollectionRules.STANDARD, PullSettings.PARALLEL);

  public HousekeepingSettings withPodLogs(Path directory) {
    return new HousekeepingSettings(Optional.of(directory), logs, images, parallelPulls);
  }
}
