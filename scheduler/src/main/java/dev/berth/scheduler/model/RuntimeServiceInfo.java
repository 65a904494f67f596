package dev.berth.scheduler.model;

import java.util.Set;

/// A runtime service on a node, as its agent reports it.
///
/// @param name empty for the one unnamed service of an upstream node
public record RuntimeServiceInfo(
    String name, WorkloadType workload, Set<String> handlers, boolean isDefault, boolean isReady) {
  public RuntimeServiceInfo {
    handlers = Set.copyOf(handlers);
  }
}
