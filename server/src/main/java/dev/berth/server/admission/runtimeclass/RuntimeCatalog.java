package dev.berth.server.admission.runtimeclass;

import dev.berth.registry.placement.ClusterPlatforms;
import java.util.List;
import java.util.Set;

/// The RuntimeClasses of the cluster and the handlers that its nodes report; served from memory.
///
/// The state may lag behind the nodes by moments, never behind the stored classes. Any thread may
/// call the methods; none of them blocks.
public interface RuntimeCatalog {
  /// Every RuntimeClass, by name.
  List<RuntimeClassPolicy> classes();

  /// The number of nodes that report the handler.
  int nodesOffering(String handler);

  /// The features that every node with the handler reports for it, such as `userNamespaces`.
  Set<String> features(String handler);

  /// The handlers of every node and what they run.
  ClusterPlatforms platforms();
}
