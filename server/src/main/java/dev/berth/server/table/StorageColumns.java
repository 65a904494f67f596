package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Kinds of `storage.k8s.io`.
final class StorageColumns {
  private StorageColumns() {}

  static KindColumns node() {
    return ColumnSheet.named()
        .integer(
            "Drivers",
            "Number of CSI drivers on the node.",
            object -> TableCells.at(object, "spec", "drivers").size())
        .age();
  }

  static KindColumns driver() {
    return ColumnSheet.named()
        .flag(
            "AttachRequired",
            "Whether volumes are attached before they are mounted.",
            object -> flag(object, "attachRequired"))
        .flag(
            "PodInfoOnMount",
            "Whether the driver is given the pod's name at a mount.",
            object -> flag(object, "podInfoOnMount"))
        .flag(
            "StorageCapacity",
            "Whether the driver publishes its capacity.",
            object -> flag(object, "storageCapacity"))
        .text(
            "TokenRequests",
            "Audiences of the tokens that the driver is given.",
            object -> joined(object, "tokenRequests", "audience"))
        .flag(
            "RequiresRepublish",
            "Whether mounts are repeated.",
            object -> flag(object, "requiresRepublish"))
        .text(
            "Modes",
            "Lifecycles of volumes that the driver provides.",
            object -> joined(object, "volumeLifecycleModes", ""))
        .age();
  }

  static KindColumns attachment() {
    return ColumnSheet.named()
        .text("Attacher", "The CSI driver.", object -> TableCells.text(object, "spec", "attacher"))
        .text(
            "PV",
            "The persistent volume.",
            object -> TableCells.text(object, "spec", "source", "persistentVolumeName"))
        .text(
            "Node", "Where it is attached.", object -> TableCells.text(object, "spec", "nodeName"))
        .flag(
            "Attached",
            "Whether it is attached now.",
            object -> TableCells.at(object, "status", "attached").asBoolean())
        .age();
  }

  private static boolean flag(ObjectNode driver, String field) {
    return TableCells.at(driver, "spec", field).asBoolean();
  }

  private static String joined(ObjectNode driver, String list, String field) {
    List<String> words = new ArrayList<>();
    for (JsonNode one : TableCells.at(driver, "spec", list)) {
      words.add(field.isEmpty() ? one.asText() : one.path(field).asText());
    }
    return words.isEmpty() ? "<unset>" : String.join(",", words);
  }
}
