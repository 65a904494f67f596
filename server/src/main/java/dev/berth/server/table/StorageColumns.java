package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Kinds of `storage.k8s.io`.
final class StorageColumns {
  private StorageColumns() {}

  static Columns node() {
    return Sheet.named()
        .integer(
            "Drivers",
            "Number of CSI drivers on the node.",
            object -> Cells.at(object, "spec", "drivers").size())
        .age();
  }

  static Columns driver() {
    return Sheet.named()
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

  static Columns attachment() {
    return Sheet.named()
        .text("Attacher", "The CSI driver.", object -> Cells.text(object, "spec", "attacher"))
        .text(
            "PV",
            "The persistent volume.",
            object -> Cells.text(object, "spec", "source", "persistentVolumeName"))
        .text("Node", "Where it is attached.", object -> Cells.text(object, "spec", "nodeName"))
        .flag(
            "Attached",
            "Whether it is attached now.",
            object -> Cells.at(object, "status", "attached").asBoolean())
        .age();
  }

  private static boolean flag(ObjectNode driver, String field) {
    return Cells.at(driver, "spec", field).asBoolean();
  }

  private static String joined(ObjectNode driver, String list, String field) {
    List<String> words = new ArrayList<>();
    for (JsonNode one : Cells.at(driver, "spec", list)) {
      words.add(field.isEmpty() ? one.asText() : one.path(field).asText());
    }
    return words.isEmpty() ? "<unset>" : String.join(",", words);
  }
}
