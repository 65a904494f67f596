package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;

/// The table of nodes.
final class NodeColumns {
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE_LABEL = "kubernetes.io/role";

  private NodeColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.named()
        .text("Status", "Whether the node is ready and takes new pods.", NodeColumns::status)
        .text("Roles", "Roles given by labels.", NodeColumns::roles)
        .age()
        .text(
            "Version",
            "Version of the node agent.",
            object -> TableCells.text(object, "status", "nodeInfo", "kubeletVersion"))
        .wide(
            "Internal-IP",
            "Address inside the cluster's network.",
            object -> address(object, "InternalIP"))
        .wide(
            "External-IP",
            "Address from outside the cluster.",
            object -> address(object, "ExternalIP"))
        .wide("OS-Image", "Operating system of the node.", object -> info(object, "osImage"))
        .wide("Kernel-Version", "Kernel of the node.", object -> info(object, "kernelVersion"))
        .wide(
            "Container-Runtime",
            "Runtime and version behind the node's default handler.",
            object -> info(object, "containerRuntimeVersion"));
  }

  private static String status(ObjectNode node) {
    String ready =
        switch (TableCells.conditionStatus(node, "Ready")) {
          case "" -> "Unknown";
          case "True" -> "Ready";
          default -> "NotReady";
        };
    return TableCells.at(node, "spec", "unschedulable").asBoolean()
        ? ready + ",SchedulingDisabled"
        : ready;
  }

  /// A role is the end of a label's key, or the value of the old label.
  private static String roles(ObjectNode node) {
    Set<String> roles = new TreeSet<>();
    TableCells.at(node, "metadata", "labels")
        .properties()
        .forEach(
            label -> {
              if (label.getKey().startsWith(ROLE_PREFIX)) {
                roles.add(label.getKey().substring(ROLE_PREFIX.length()));
              } else if (label.getKey().equals(ROLE_LABEL)) {
                roles.add(label.getValue().asText());
              }
            });
    roles.remove("");
    return roles.isEmpty() ? TableCells.NONE : String.join(",", roles);
  }

  private static String address(ObjectNode node, String type) {
    for (JsonNode address : TableCells.at(node, "status", "addresses")) {
      if (TableCells.text(address, "type").equals(type)) {
        return TableCells.text(address, "address");
      }
    }
    return TableCells.NONE;
  }

  private static String info(ObjectNode node, String field) {
    return TableCells.textOr(HumanDuration.UNKNOWN, node, "status", "nodeInfo", field);
  }
}
