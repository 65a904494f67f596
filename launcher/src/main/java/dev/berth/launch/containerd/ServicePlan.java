package dev.berth.launch.containerd;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A private containerd to run: one runtime service of the node.
///
/// @param name the name of the runtime service
/// @param handlers name to program, the default one first
/// @param hiddenMount the mount that containerd must not see; empty for none
record ServicePlan(String name, Map<String, Path> handlers, String hiddenMount) {
  private static final String SERVICE = "containerd";
  private static final String CRUN = "crun";

  /// Plans one containerd for all handlers, unless crun needs a mount namespace of its own: crun
  /// fails if both versions of cgroups are mounted.
  static List<ServicePlan> of(Map<String, Path> handlers, HostInfo host) {
    Path crun = handlers.get(CRUN);
    if (crun == null || host.unifiedMount().isEmpty()) {
      return List.of(new ServicePlan(SERVICE, handlers, ""));
    }
    Map<String, Path> others = new LinkedHashMap<>(handlers);
    others.remove(CRUN);
    ServicePlan apart =
        new ServicePlan(SERVICE + "-" + CRUN, Map.of(CRUN, crun), host.unifiedMount());
    return others.isEmpty() ? List.of(apart) : List.of(new ServicePlan(SERVICE, others, ""), apart);
  }

  String defaultHandler() {
    return handlers.keySet().iterator().next();
  }
}
