package dev.berth.server.kinds;

import java.util.List;

/// A kind of `metrics.k8s.io`, which is measured on request and never stored.
///
/// @param plural the plural of the measured kind
public record MetricKind(String plural, String kind, boolean namespaced) {
  public static final String GROUP = "metrics.k8s.io";
  public static final String VERSION = "v1beta1";

  public static final MetricKind NODES = new MetricKind("nodes", "NodeMetrics", false);
  public static final MetricKind PODS = new MetricKind("pods", "PodMetrics", true);
  public static final List<MetricKind> ALL = List.of(NODES, PODS);

  public String apiVersion() {
    return GROUP + "/" + VERSION;
  }
}
