package dev.berth.agent.runtimes;

import dev.berth.cri.v1.PodSandbox;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Tells the sandboxes of this node's agent from those that others made on the same runtime
/// service: a kubelet, the agent of another node, or of a node that has the same name in another
/// cluster.
///
/// @param node its name; empty where every sandbox counts
/// @param cluster a mark that no other cluster has; empty where the name alone counts
public record OwnSandboxes(String node, String cluster) {
  /// The label with the name of the node whose agent made a sandbox.
  public static final String NODE = "berth.dev/node";

  /// The label with the mark of its cluster.
  public static final String CLUSTER = "berth.dev/cluster";

  static final OwnSandboxes ALL = new OwnSandboxes("", "");

  /// What is to be on a sandbox for it to be found again.
  public Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(NODE, node);
    if (!cluster.isEmpty()) {
      labels.put(CLUSTER, cluster);
    }
    return labels;
  }

  /// Earlier agents did not mark the cluster.
  ///
  /// @param labels those of a sandbox
  public boolean has(Map<String, String> labels) {
    return node.isEmpty()
        || (node.equals(labels.get(NODE))
            && (cluster.isEmpty() || cluster.equals(labels.getOrDefault(CLUSTER, cluster))));
  }

  List<PodSandbox> of(List<PodSandbox> sandboxes) {
    return sandboxes.stream().filter(sandbox -> has(sandbox.getLabelsMap())).toList();
  }
}
