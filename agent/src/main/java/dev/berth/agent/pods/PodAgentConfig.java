package dev.berth.agent.pods;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.agent.pods.logs.LogRules;
import java.nio.file.Path;
import java.util.Optional;

/// How the agent treats pods.
///
/// @param platform of the node's runtime services
/// @param parallelPulls how many images each image service pulls at a time
/// @param manifests a directory with pods that run here whether the API server is there or not
public record PodAgentConfig(
    NodeSettings node,
    PlatformConfig platform,
    UnresolvedPolicy unresolved,
    int parallelPulls,
    CollectionRules images,
    LogRules logs,
    Optional<Path> manifests) {
  public static final int PULLS = 5;

  /// Of a Linux node.
  public static PodAgentConfig of(NodeSettings node) {
    return new PodAgentConfig(
        node,
        new LinuxPlatform(node),
        UnresolvedPolicy.FAIL_MISSING_CLASS,
        PULLS,
        CollectionRules.STANDARD,
        LogRules.STANDARD,
        Optional.empty());
  }

  public PodAgentConfig with(PlatformConfig other) {
    return new PodAgentConfig(node, other, unresolved, parallelPulls, images, logs, manifests);
  }

  public PodAgentConfig with(UnresolvedPolicy policy) {
    return new PodAgentConfig(node, platform, policy, parallelPulls, images, logs, manifests);
  }

  public PodAgentConfig with(CollectionRules other) {
    return new PodAgentConfig(node, platform, unresolved, parallelPulls, other, logs, manifests);
  }

  public PodAgentConfig with(LogRules other) {
    return new PodAgentConfig(node, platform, unresolved, parallelPulls, images, other, manifests);
  }

  public PodAgentConfig withPulls(int parallel) {
    return new PodAgentConfig(node, platform, unresolved, parallel, images, logs, manifests);
  }

  public PodAgentConfig withManifests(Path directory) {
    return new PodAgentConfig(
        node, platform, unresolved, parallelPulls, images, logs, Optional.of(directory));
  }
}
