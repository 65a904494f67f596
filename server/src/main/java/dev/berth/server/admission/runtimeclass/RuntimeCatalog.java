package dev.berth.server.admission.runtimeclass;

import java.util.List;
import java.util.Set;

/// What the cluster has to run pods with: the classes that are defined and the handlers that nodes
/// really offer. Everything comes from memory.
public interface RuntimeCatalog {
  /// Every RuntimeClass, by name.
  List<RuntimeClassPolicy> classes();

  /// How many nodes report the handler.
  int nodesOffering(String handler);

  /// The features that every node offering the handler reports for it, such as `userNamespaces`.
  Set<String> features(String handler);
}
