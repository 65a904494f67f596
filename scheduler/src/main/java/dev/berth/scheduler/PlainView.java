package dev.berth.scheduler;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.ObservedPod;
import dev.berth.scheduler.model.RuntimeClassInfo;
import java.util.Map;

/// Fills a cluster and does nothing else.
record PlainView(Cluster cluster) implements ClusterView {
  @Override
  public void putNode(NodeInfo node) {
    cluster.putNode(node);
  }

  @Override
  public void removeNode(String name) {
    cluster.removeNode(name);
  }

  @Override
  public void putPod(ObservedPod pod) {
    if (pod.takesRoom()) {
      cluster.putPod(pod.pod(), pod.node());
    }
  }

  @Override
  public void removePod(ObjectKey key) {
    cluster.removePod(key);
  }

  @Override
  public void putClass(RuntimeClassInfo info) {
    cluster.putClass(info);
  }

  @Override
  public void removeClass(String name) {
    cluster.removeClass(name);
  }

  @Override
  public void putNamespace(String name, Map<String, String> labels) {
    cluster.putNamespace(name, labels);
  }

  @Override
  public void removeNamespace(String name) {
    cluster.removeNamespace(name);
  }
}
