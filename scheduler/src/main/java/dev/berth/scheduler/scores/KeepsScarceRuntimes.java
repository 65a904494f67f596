package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RuntimeClassInfo;

/// Prefers nodes whose runtimes are common: a node with a rare runtime is kept for pods that cannot
/// run elsewhere.
///
/// It counts handlers of existing RuntimeClasses: a handler that no class names attracts no pods.
final class KeepsScarceRuntimes implements TraitScore {
  @Override
  public double score(PodRequirements needs, NodeInfo node, ClusterState cluster) {
    String own = cluster.handler(needs.className());
    long others =
        cluster.classes().stream()
            .map(RuntimeClassInfo::handler)
            .filter(handler -> !handler.equals(own))
            .distinct()
            .filter(node.traits().runtimes()::offers)
            .count();
    return 100.0 / (1 + others);
  }
}
