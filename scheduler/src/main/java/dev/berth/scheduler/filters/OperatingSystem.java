package dev.berth.scheduler.filters;

import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// A pod that names its operating system, its version or an architecture goes to nodes of that
/// kind; the node's agent would refuse it elsewhere.
final class OperatingSystem implements TraitFilter {
  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    return needs
        .platform()
        .mismatch(node.labels(), isolation(needs, node, cluster))
        .map(text -> new Reason(Cause.OS, text));
  }

  /// A node that does not say how its handlers isolate may do so by Hyper-V; its agent knows.
  private static Isolation isolation(PodNeeds needs, NodeInfo node, Cluster cluster) {
    String handler = cluster.handler(needs.className());
    return handler == null || handler.isEmpty()
        ? Isolation.PROCESS
        : node.traits().runtimes().isolation(handler).orElse(Isolation.HYPERV);
  }
}
