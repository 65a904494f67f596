package dev.berth.scheduler.filters;

import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// Refuses nodes of another operating system, version or architecture than the pod names; the agent
/// of such a node would refuse the pod.
final class OperatingSystem implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    return needs
        .platform()
        .mismatch(node.labels(), isolation(needs, node, cluster))
        .map(text -> new RefusalReason(RefusalCause.OS, text));
  }

  /// A node that does not report the isolation of its handlers may use Hyper-V; its agent decides.
  private static Isolation isolation(PodRequirements needs, NodeInfo node, ClusterState cluster) {
    String handler = cluster.handler(needs.className());
    return handler == null || handler.isEmpty()
        ? Isolation.PROCESS
        : node.traits().runtimes().isolation(handler).orElse(Isolation.HYPERV);
  }
}
