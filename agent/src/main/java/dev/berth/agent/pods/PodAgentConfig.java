package dev.berth.agent.pods;

import dev.berth.agent.images.PullSettings;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.linux.LinuxPlatform;

/// Everything that the pod agent is configured with: what the administrator decides, which comes
/// unchanged from the command line, and what the agent finds out about its node.
///
/// @param node what pods can see of the node
/// @param platform of the node's runtime services
/// @param settings what the administrator decides
public record PodAgentConfig(
    NodeSettings node, PlatformConfig platform, PodSettings settings, PullSettings pulls) {
  /// Of a Linux node, with the default settings.
  public static PodAgentConfig of(NodeSettings node) {
    return new PodAgentConfig(
        node, new LinuxPlatform(node), PodSettings.USUAL, PullSettings.STANDARD);
  }

  public PodAgentConfig with(PlatformConfig other) {
    return new PodAgentConfig(node, other, settings, pulls);
  }

  public PodAgentConfig with(PodSettings other) {
    return new PodAgentConfig(node, platform, other, pulls);
  }

  public PodAgentConfig with(PullSettings other) {
    return new PodAgentConfig(node, platform, settings, other);
  }
}
