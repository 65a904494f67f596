package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.function.ToIntFunction;

/// The tables of workloads.
final class WorkloadColumns {
  private WorkloadColumns() {}

  static KindColumns deployment() {
    return ColumnSheet.named()
        .text("Ready", "Ready pods of the wanted ones.", WorkloadColumns::readyOfWanted)
        .count(
            "Up-to-date",
            "Pods made from the newest template.",
            object -> TableCells.number(object, "status", "updatedReplicas"))
        .count(
            "Available",
            "Pods that have been ready for at least minReadySeconds.",
            object -> TableCells.number(object, "status", "availableReplicas"))
        .age()
        .template()
        .wide(
            "Selector",
            "Labels by which pods are counted as this object's.",
            object ->
                SelectorText.parse(TableCells.at(object, "spec", "selector")).orElse("<invalid>"));
  }

  static KindColumns replicaSet() {
    return ColumnSheet.named()
        .integer("Desired", "Pods wanted.", object -> TableCells.number(object, "spec", "replicas"))
        .integer(
            "Current", "Pods there are.", object -> TableCells.number(object, "status", "replicas"))
        .integer(
            "Ready", "Pods ready.", object -> TableCells.number(object, "status", "readyReplicas"))
        .age()
        .template()
        .selector();
  }

  static KindColumns daemonSet() {
    return ColumnSheet.named()
        .integer("Desired", "Nodes that should run it.", status("desiredNumberScheduled"))
        .integer("Current", "Nodes that do run it.", status("currentNumberScheduled"))
        .integer("Ready", "Nodes on which its pod is ready.", status("numberReady"))
        .integer(
            "Up-to-date",
            "Nodes that run a pod made from the newest template.",
            status("updatedNumberScheduled"))
        .integer(
            "Available",
            "Nodes on which its pod has been ready for at least minReadySeconds.",
            status("numberAvailable"))
        .text(
            "Node Selector",
            "Labels that a node needs in order to run it.",
            object ->
                TableCells.labels(
                    TableCells.at(object, "spec", "template", "spec", "nodeSelector")))
        .age()
        .template()
        .selector();
  }

  private static ToIntFunction<ObjectNode> status(String field) {
    return object -> TableCells.number(object, "status", field);
  }

  static KindColumns statefulSet() {
    return ColumnSheet.named()
        .text("Ready", "Ready pods of the wanted ones.", WorkloadColumns::readyOfWanted)
        .age()
        .template();
  }

  static KindColumns controllerRevision() {
    return ColumnSheet.named()
        .text("Controller", "The object whose state it is.", WorkloadColumns::controller)
        .count("Revision", "Number of the state.", object -> TableCells.number(object, "revision"))
        .age();
  }

  private static String controller(ObjectNode object) {
    for (JsonNode owner : TableCells.at(object, "metadata", "ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        String version = owner.path("apiVersion").asText();
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : "." + version.substring(0, slash);
        String kind = owner.path("kind").asText() + group;
        return kind.toLowerCase(Locale.ROOT) + "/" + owner.path("name").asText();
      }
    }
    return "<none>";
  }

  static KindColumns scale() {
    return ColumnSheet.unnamed()
        .text("Name", "Name of the scaled object.", TableCells::name)
        .integer("Desired", "Pods wanted.", object -> TableCells.number(object, "spec", "replicas"))
        .integer(
            "Available",
            "Pods there are.",
            object -> TableCells.number(object, "status", "replicas"))
        .age();
  }

  private static String readyOfWanted(ObjectNode object) {
    return TableCells.number(object, "status", "readyReplicas")
        + "/"
        + TableCells.number(object, "spec", "replicas");
  }
}
