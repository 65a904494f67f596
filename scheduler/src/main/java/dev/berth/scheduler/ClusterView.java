package dev.berth.scheduler;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.TrackedPod;
import java.util.Map;

/// Receives the changes of the cluster in the order of the watches.
///
/// Called on the threads of the reflectors, several at once; the implementation locks. Each method
/// may be called again with an unchanged value after every new list, and then must not wake any
/// pod.
interface ClusterView {
  void putNode(NodeInfo node);

  void removeNode(String name);

  void putPod(TrackedPod pod);

  void removePod(ObjectKey key);

  void putClass(RuntimeClassInfo info);

  void removeClass(String name);

  void putNamespace(String name, Map<String, String> labels);

  void removeNamespace(String name);
}
