package dev.berth.scheduler.model;

/// Why a node was refused, as far as it decides which events could help and how failures are
/// counted.
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
  PORTS("NodePorts"),
  RESOURCES("NodeResourcesFit"),
  POD_COUNT("NodeResourcesFit"),
  SPREAD("PodTopologySpread"),
  POD_AFFINITY("InterPodAffinity");

  private final String plugin;

  RefusalCause(String plugin) {
    this.plugin = plugin;
  }

  /// What upstream's metrics call the rule.
  public String plugin() {
    return plugin;
  }
}
