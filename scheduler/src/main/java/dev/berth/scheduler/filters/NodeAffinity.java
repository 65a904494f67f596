package dev.berth.scheduler.filters;

import dev.berth.api.RequiredNodeAffinity;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.model.RuntimeClassInfo;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Refuses nodes without the labels of the pod's node selector, or that match none of its affinity
/// terms.
final class NodeAffinity implements TraitFilter {
  static final RefusalReason REASON =
      new RefusalReason(RefusalCause.AFFINITY, RequiredNodeAffinity.MISMATCH);

  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    return fits(needs, node)
        ? Optional.empty()
        : Optional.of(ofClass(needs, node, cluster).orElse(REASON));
  }

  /// Admission copied the RuntimeClass's selector into the pod; it is not the user's own selector.
  private static Optional<RefusalReason> ofClass(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    return cluster
        .runtimeClass(needs.className())
        .map(RuntimeClassInfo::nodeSelector)
        .map(selector -> missing(selector, needs, node))
        .filter(missing -> !missing.isEmpty())
        .map(
            missing ->
                new RefusalReason(
                    RefusalCause.AFFINITY,
                    "%s (RuntimeClass \"%s\" selects %s)"
                        .formatted(RequiredNodeAffinity.MISMATCH, needs.className(), missing)));
  }

  private static String missing(
      Map<String, String> selector, PodRequirements needs, NodeInfo node) {
    return selector.entrySet().stream()
        .filter(wanted -> wanted.getValue().equals(needs.nodes().selector().get(wanted.getKey())))
        .filter(wanted -> !wanted.getValue().equals(node.labels().get(wanted.getKey())))
        .map(wanted -> wanted.getKey() + "=" + wanted.getValue())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  static boolean fits(PodRequirements needs, NodeInfo node) {
    return needs.nodes().matches(node.name(), node.labels());
  }
}
