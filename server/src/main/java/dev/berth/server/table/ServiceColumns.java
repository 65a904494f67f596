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

  static KindColumns sheet() {
    return ColumnSheet.named()
        .text(
            "Type",
            "How the service is reached.",
            object -> TableCells.text(object, "spec", "type"))
        .text("Cluster-IP", "Address inside the cluster.", ServiceColumns::clusterIp)
        .text("External-IP", "Addresses from outside.", ServiceColumns::externalIp)
        .text("Port(s)", "Ports, with the node's port after a colon.", ServiceColumns::ports)
        .age()
        .wide(
            "Selector",
            "Labels of the pods behind the service.",
            object -> TableCells.labels(TableCells.at(object, "spec", "selector")));
  }

  private static String clusterIp(ObjectNode service) {
    JsonNode first = TableCells.at(service, "spec", "clusterIPs").path(0);
    return first.isTextual() ? first.textValue() : TableCells.NONE;
  }

  /// The words and their order are kubectl's.
  private static String externalIp(ObjectNode service) {
    return switch (TableCells.text(service, "spec", "type")) {
      case "ClusterIP", "NodePort" -> {
        String addresses = TableCells.joined(TableCells.at(service, "spec", "externalIPs"));
        yield addresses.isEmpty() ? TableCells.NONE : addresses;
      }
      case "LoadBalancer" -> balancerAddresses(service);
      case "ExternalName" -> TableCells.text(service, "spec", "externalName");
      default -> HumanDuration.UNKNOWN;
    };
  }

  private static String balancerAddresses(ObjectNode service) {
    Set<String> ingress = new TreeSet<>();
    for (JsonNode entry : TableCells.at(service, "status", "loadBalancer", "ingress")) {
      ingress.add(TableCells.textOr(TableCells.text(entry, "hostname"), entry, "ip"));
    }
    ingress.remove("");
    List<String> all = new ArrayList<>(ingress);
    TableCells.at(service, "spec", "externalIPs").forEach(address -> all.add(address.asText()));
    return all.isEmpty() ? "<pending>" : String.join(",", all);
  }

  private static String ports(ObjectNode service) {
    List<String> ports = new ArrayList<>();
    for (JsonNode port : TableCells.at(service, "spec", "ports")) {
      int nodePort = TableCells.number(port, "nodePort");
      ports.add(
          TableCells.number(port, "port")
              + (nodePort > 0 ? ":" + nodePort : "")
              + "/"
              + TableCells.text(port, "protocol"));
    }
    return ports.isEmpty() ? TableCells.NONE : String.join(",", ports);
  }
}
