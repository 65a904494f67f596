package dev.berth.scheduler.filters;

import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// A pod that names its operating system, its version or an architecture goes to nodes of that
/// kind; the node's agent would refuse it elsewhere.
final class OperatingSystem implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    return needs
        .platform()
        .mismatch(node.labels(), isolation(needs, node, cluster))
        .map(text -> new RefusalReason(RefusalCause.OS, text));
  }

  /// A node that does not say how its handlers isolate may do so by Hyper-V; its agent knows.
  private static Isolation isolation(PodRequirements needs, NodeInfo node, ClusterState cluster) {
    String handler = cluster.handler(needs.className());
    return handler == null || handler.isEmpty()
        ? Isolation.PROCESS
        : node.traits().runtimes().isolation(handler).orElse(Isolation.HYPERV);
  }
}
