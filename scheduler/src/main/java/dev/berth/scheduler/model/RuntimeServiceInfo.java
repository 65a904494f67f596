package dev.berth.scheduler.model;

import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.api.pods.WorkloadType;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A runtime service on a node, as its agent reports it.
///
/// @param name empty for the one unnamed service of an upstream node
/// @param workload null for a type that only a newer agent knows: the service runs no pod that this
///   scheduler places
/// @param isolations by handler, where the agent reports it
public record RuntimeServiceInfo(
    String name,
    @Nullable WorkloadType workload,
    Set<String> handlers,
    Map<String, Isolation> isolations,
    boolean isDefault,
    boolean isReady) {
  public RuntimeServiceInfo {
    handlers = Set.copyOf(handlers);
    isolations = Map.copyOf(isolations);
  }
}
