package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in services.
public final class ServiceDefaults {
  /// Upstream's default of `sessionAffinityConfig`, three hours.
  private static final int AFFINITY_SECONDS = 10800;

  private ServiceDefaults() {}

  public static void apply(ObjectNode service) {
    ObjectNode spec = service.withObjectProperty("spec");
    PodTree.text(spec, "sessionAffinity", "None");
    switch (PodTree.text(spec, "sessionAffinity")) {
      case "None" -> spec.remove("sessionAffinityConfig");
      case "ClientIP" ->
          PodTree.absentNumber(
              spec.withObjectProperty("sessionAffinityConfig").withObjectProperty("clientIP"),
              "timeoutSeconds",
              AFFINITY_SECONDS);
      default -> {}
    }
    PodTree.text(spec, "type", "ClusterIP");
    PodTree.each(spec, "ports", ServiceDefaults::port);
    traffic(spec, PodTree.text(spec, "type"));
    if (PodTree.text(spec, "type").equals("LoadBalancer")) {
      PodTree.object(
          service,
          "status",
          status -> PodTree.object(status, "loadBalancer", ServiceDefaults::ingress));
    }
  }

  private static void port(ObjectNode port) {
    PodTree.text(port, "protocol", "TCP");
    String target = port.path("targetPort").asText();
    if (target.isEmpty() || target.equals("0")) {
      port.set("targetPort", port.path("port"));
    }
  }

  private static void traffic(ObjectNode spec, String type) {
    boolean balanced = type.equals("LoadBalancer");
    boolean inside = type.equals("ClusterIP");
    boolean onNodes = type.equals("NodePort");
    if (balanced || onNodes || (inside && !spec.path("externalIPs").isEmpty())) {
      PodTree.text(spec, "externalTrafficPolicy", "Cluster");
    }
    if (balanced || onNodes || inside) {
      PodTree.absentText(spec, "internalTrafficPolicy", "Cluster");
    }
    if (balanced && !spec.hasNonNull("allocateLoadBalancerNodePorts")) {
      spec.put("allocateLoadBalancerNodePorts", true);
    }
  }

  private static void ingress(ObjectNode loadBalancer) {
    PodTree.each(
        loadBalancer,
        "ingress",
        ingress -> {
          if (!PodTree.text(ingress, "ip").isEmpty()) {
            PodTree.absentText(ingress, "ipMode", "VIP");
          }
        });
  }
}
