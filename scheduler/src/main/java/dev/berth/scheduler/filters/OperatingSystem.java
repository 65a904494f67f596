package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// A pod that names its operating system goes to nodes of that system; the node's agent would
/// refuse it elsewhere. Nodes without the label are not judged.
final class OperatingSystem implements TraitFilter {
  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    String label = node.labels().getOrDefault(NodeInfo.OS, "");
    return needs.os().isEmpty() || label.isEmpty() || label.equals(needs.os())
        ? Optional.empty()
        : Optional.of(
            new Reason(Cause.OS, "node(s) didn't match Pod's OS \"%s\"".formatted(needs.os())));
  }
}
