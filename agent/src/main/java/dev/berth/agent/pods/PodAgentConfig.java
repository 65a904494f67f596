package dev.berth.agent.pods;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.PullSettings;
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
/// @param manifests a directory with pods that run here whether the API server is there or not
public record PodAgentConfig(
    NodeSettings node,
    PlatformConfig platform,
    UnresolvedPolicy unresolved,
    PullSettings pulls,
    CollectionRules images,
    LogRules logs,
    Optional<Path> manifests) {
  /// Of a Linux node.
  public static PodAgentConfig of(NodeSettings node) {
    return new PodAgentConfig(
        node,
        new LinuxPlatform(node),
        UnresolvedPolicy.FAIL_MISSING_CLASS,
        PullSettings.STANDARD,
        CollectionRules.STANDARD,
        LogRules.STANDARD,
        Optional.empty());
  }

  public PodAgentConfig with(PlatformConfig other) {
    return new PodAgentConfig(node, other, unresolved, pulls, images, logs, manifests);
  }

  public PodAgentConfig with(UnresolvedPolicy policy) {
    return new PodAgentConfig(node, platform, policy, pulls, images, logs, manifests);
  }

  public PodAgentConfig with(CollectionRules other) {
    return new PodAgentConfig(node, platform, unresolved, pulls, other, logs, manifests);
  }

  public PodAgentConfig with(LogRules other) {
    return new PodAgentConfig(node, platform, unresolved, pulls, images, other, manifests);
  }

  public PodAgentConfig with(PullSettings other) {
    return new PodAgentConfig(node, platform, unresolved, other, images, logs, manifests);
  }

  public PodAgentConfig withManifests(Path directory) {
    return new PodAgentConfig(
        node, platform, unresolved, pulls, images, logs, Optional.of(directory));
  }
}
