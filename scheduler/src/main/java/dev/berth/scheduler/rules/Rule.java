package dev.berth.scheduler.rules;

/// A filter or score at the step where it is asked; those that upstream has go by its plugin's
/// name.
public enum Rule {
  CLASS_EXISTS("RuntimeClass", Point.PRE_FILTER),
  SPREAD_PREPARED("PodTopologySpread", Point.PRE_FILTER),
  POD_AFFINITY_PREPARED("InterPodAffinity", Point.PRE_FILTER),
  UNSCHEDULABLE("NodeUnschedulable", Point.FILTER),
  TAINTS("TaintToleration", Point.FILTER),
  AFFINITY("NodeAffinity", Point.FILTER),
  OPERATING_SYSTEM("NodeOS", Point.FILTER),
  DEMANDS("VolumeBinding", Point.FILTER),
  RUNTIME("RuntimeClass", Point.FILTER),
  PORTS("NodePorts", Point.FILTER),
  RESOURCES("NodeResourcesFit", Point.FILTER),
  SPREAD("PodTopologySpread", Point.FILTER),
  POD_AFFINITY("InterPodAffinity", Point.FILTER),
  NEIGHBOURS_PREPARED("InterPodAffinity", Point.PRE_SCORE),
  EVEN_SPREAD_PREPARED("PodTopologySpread", Point.PRE_SCORE),
  PREFERRED_AFFINITY("NodeAffinity", Point.SCORE),
  SOFT_TAINTS("TaintToleration", Point.SCORE),
  SCARCE_RUNTIMES("RuntimeClass", Point.SCORE),
  LEAST_ALLOCATED("NodeResourcesFit", Point.SCORE),
  BALANCED("NodeResourcesBalancedAllocation", Point.SCORE),
  IMAGES("ImageLocality", Point.SCORE),
  SIBLINGS("SelectorSpread", Point.SCORE),
  PREFERRED_NEIGHBOURS("InterPodAffinity", Point.SCORE),
  EVEN_SPREAD("PodTopologySpread", Point.SCORE);

  private final String plugin;
  private final Point point;

  Rule(String plugin, Point point) {
    this.plugin = plugin;
    this.point = point;
  }

  public String plugin() {
    return plugin;
  }

  public Point point() {
    return point;
  }
}
