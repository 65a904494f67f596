package dev.berth.scheduler;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.ObservedPod;
import dev.berth.scheduler.model.RuntimeClassInfo;
import java.util.Map;

/// Receives what changes in the cluster, from the watches or from a list read once.
interface ClusterView {
  void putNode(NodeInfo node);

  void removeNode(String name);

  void putPod(ObservedPod pod);

  void removePod(ObjectKey key);

  void putClass(RuntimeClassInfo info);

  void removeClass(String name);

  void putNamespace(String name, Map<String, String> labels);

  void removeNamespace(String name);

  /// A view that only fills a cluster, for explanations.
  static ClusterView into(Cluster cluster) {
    return new PlainView(cluster);
  }
}
