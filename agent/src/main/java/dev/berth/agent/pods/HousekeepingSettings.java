package dev.berth.agent.pods;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.pods.logs.LogRules;
import java.nio.file.Path;
import java.util.Optional;

/// What an administrator decides about logs and images of a node.
///
/// @param podLogs the directory of the logs of all pods; empty for one below the data directory
/// @param parallelPulls the most images that are pulled in parallel from each image service
/// @param verification which images need a proof of access although they are present
public record HousekeepingSettings(
    Optional<Path> podLogs,
    LogRules logs,
    CollectionRules images,
    int parallelPulls,
    VerificationRules verification) {
  public static final HousekeepingSettings USUAL =
      new HousekeepingSettings(
          Optional.empty(),
          LogRules.STANDARD,
          CollectionRules.STANDARD,
          PullSettings.PARALLEL,
          VerificationRules.STANDARD);

  public HousekeepingSettings with(LogRules other) {
    return new HousekeepingSettings(podLogs, other, images, parallelPulls, verification);
  }

  public HousekeepingSettings with(CollectionRules other) {
    return new HousekeepingSettings(podLogs, logs, other, parallelPulls, verification);
  }

  public HousekeepingSettings withPodLogs(Path directory) {
    return new HousekeepingSettings(
        Optional.of(directory), logs, images, parallelPulls, verification);
  }
}
