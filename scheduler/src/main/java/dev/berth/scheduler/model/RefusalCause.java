package dev.berth.scheduler.model;

/// The kind of a refusal; it decides which events wake the pod and how metrics count it.
public enum RefusalCause {
  NO_NODES("NoNodes"),
  CLASS_MISSING("RuntimeClass"),
  UNSCHEDULABLE("NodeUnschedulable"),
  TAINT("TaintToleration"),
  AFFINITY("NodeAffinity"),
  OS("NodeOS"),
  UNPROVIDED("VolumeBinding"),
  RUNTIME_UNSUPPORTED("RuntimeClass"),
  RUNTIME_NOT_READY("RuntimeClass"),
  IMAGES("ImagePlatforms"),
  PORTS("NodePorts"),
  RESOURCES("NodeResourcesFit"),
  POD_COUNT("NodeResourcesFit"),
  SPREAD("PodTopologySpread"),
  POD_AFFINITY("InterPodAffinity");

  private final String plugin;

  RefusalCause(String plugin) {
    this.plugin = plugin;
  }

  /// The name of the rule in upstream's metrics.
  public String plugin() {
    return plugin;
  }
}
