package dev.berth.scheduler.rules;

/// A filter or score at its extension point; rules that upstream has use the name of its plugin.
public enum SchedulingRule {
  CLASS_EXISTS("RuntimeClass", ExtensionPoint.PRE_FILTER),
  SPREAD_PREPARED("PodTopologySpread", ExtensionPoint.PRE_FILTER),
  POD_AFFINITY_PREPARED("InterPodAffinity", ExtensionPoint.PRE_FILTER),
  UNSCHEDULABLE("NodeUnschedulable", ExtensionPoint.FILTER),
  TAINTS("TaintToleration", ExtensionPoint.FILTER),
  AFFINITY("NodeAffinity", ExtensionPoint.FILTER),
  OPERATING_SYSTEM("NodeOS", ExtensionPoint.FILTER),
  DEMANDS("VolumeBinding", ExtensionPoint.FILTER),
  RUNTIME("RuntimeClass", ExtensionPoint.FILTER),
  IMAGE_PLATFORMS("ImagePlatforms", ExtensionPoint.FILTER),
  PORTS("NodePorts", ExtensionPoint.FILTER),
  RESOURCES("NodeResourcesFit", ExtensionPoint.FILTER),
  SPREAD("PodTopologySpread", ExtensionPoint.FILTER),
  POD_AFFINITY("InterPodAffinity", ExtensionPoint.FILTER),
  NEIGHBOURS_PREPARED("InterPodAffinity", ExtensionPoint.PRE_SCORE),
  EVEN_SPREAD_PREPARED("PodTopologySpread", ExtensionPoint.PRE_SCORE),
  PREFERRED_AFFINITY("NodeAffinity", ExtensionPoint.SCORE),
  SOFT_TAINTS("TaintToleration", ExtensionPoint.SCORE),
  SCARCE_RUNTIMES("RuntimeClass", ExtensionPoint.SCORE),
  LEAST_ALLOCATED("NodeResourcesFit", ExtensionPoint.SCORE),
  BALANCED("NodeResourcesBalancedAllocation", ExtensionPoint.SCORE),
  IMAGES("ImageLocality", ExtensionPoint.SCORE),
  SIBLINGS("SelectorSpread", ExtensionPoint.SCORE),
  PREFERRED_NEIGHBOURS("InterPodAffinity", ExtensionPoint.SCORE),
  EVEN_SPREAD("PodTopologySpread", ExtensionPoint.SCORE);

  private final String plugin;
  private final ExtensionPoint point;

  SchedulingRule(String plugin, ExtensionPoint point) {
    this.plugin = plugin;
    this.point = point;
  }

  public String plugin() {
    return plugin;
  }

  public ExtensionPoint point() {
    return point;
  }
}
