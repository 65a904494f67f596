package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The table of services.
final class ServiceColumns {
  private ServiceColumns() {}

  static Columns sheet() {
    return Sheet.named()
        .text("Type", "How the service is reached.", object -> Cells.text(object, "spec", "type"))
        .text("Cluster-IP", "Address inside the cluster.", ServiceColumns::clusterIp)
        .text("External-IP", "Addresses from outside.", ServiceColumns::externalIp)
        .text("Port(s)", "Ports, with the node's port after a colon.", ServiceColumns::ports)
        .age()
        .wide(
            "Selector",
            "Labels of the pods behind the service.",
            object -> Cells.labels(Cells.at(object, "spec", "selector")));
  }

  private static String clusterIp(ObjectNode service) {
    JsonNode first = Cells.at(service, "spec", "clusterIPs").path(0);
    return first.isTextual() ? first.textValue() : Cells.NONE;
  }

  private static String externalIp(ObjectNode service) {
    return switch (Cells.text(service, "spec", "type")) {
      case "ClusterIP", "NodePort" -> {
        String addresses = Cells.joined(Cells.at(service, "spec", "externalIPs"));
        yield addresses.isEmpty() ? Cells.NONE : addresses;
      }
      case "LoadBalancer" -> balancerAddresses(service);
      case "ExternalName" -> Cells.text(service, "spec", "externalName");
      default -> HumanDuration.UNKNOWN;
    };
  }

  private static String balancerAddresses(ObjectNode service) {
    Set<String> ingress = new TreeSet<>();
    for (JsonNode entry : Cells.at(service, "status", "loadBalancer", "ingress")) {
      ingress.add(Cells.textOr(Cells.text(entry, "hostname"), entry, "ip"));
    }
    ingress.remove("");
    List<String> all = new ArrayList<>(ingress);
    Cells.at(service, "spec", "externalIPs").forEach(address -> all.add(address.asText()));
    return all.isEmpty() ? "<pending>" : String.join(",", all);
  }

  private static String ports(ObjectNode service) {
    List<String> ports = new ArrayList<>();
    for (JsonNode port : Cells.at(service, "spec", "ports")) {
      int nodePort = Cells.number(port, "nodePort");
      ports.add(
          Cells.number(port, "port")
              + (nodePort > 0 ? ":" + nodePort : "")
              + "/"
              + Cells.text(port, "protocol"));
    }
    return ports.isEmpty() ? Cells.NONE : String.join(",", ports);
  }
}
