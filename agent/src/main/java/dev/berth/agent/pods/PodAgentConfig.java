package dev.berth.agent.pods;

import dev.berth.agent.pods.config.NodeSettings;

/// How the agent treats pods.
///
/// @param parallelPulls how many images are pulled at a time
public record PodAgentConfig(NodeSettings node, UnresolvedPolicy unresolved, int parallelPulls) {
  private static final int PULLS = 5;

  public static PodAgentConfig of(NodeSettings node) {
    return new PodAgentConfig(node, UnresolvedPolicy.FAIL, PULLS);
  }

  public PodAgentConfig with(UnresolvedPolicy policy) {
    return new PodAgentConfig(node, policy, parallelPulls);
  }
}
