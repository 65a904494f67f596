package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.function.ToIntFunction;

/// Kinds that keep pods made from a template.
final class WorkloadColumns {
  private WorkloadColumns() {}

  static Columns deployment() {
    return Sheet.named()
        .text("Ready", "Ready pods of the wanted ones.", WorkloadColumns::readyOfWanted)
        .count(
            "Up-to-date",
            "Pods made from the newest template.",
            object -> Cells.number(object, "status", "updatedReplicas"))
        .count(
            "Available",
            "Pods that have been ready for at least minReadySeconds.",
            object -> Cells.number(object, "status", "availableReplicas"))
        .age()
        .template()
        .wide(
            "Selector",
            "Labels by which pods are counted as this object's.",
            object -> SelectorText.parse(Cells.at(object, "spec", "selector")).orElse("<invalid>"));
  }

  static Columns replicaSet() {
    return Sheet.named()
        .integer("Desired", "Pods wanted.", object -> Cells.number(object, "spec", "replicas"))
        .integer("Current", "Pods there are.", object -> Cells.number(object, "status", "replicas"))
        .integer("Ready", "Pods ready.", object -> Cells.number(object, "status", "readyReplicas"))
        .age()
        .template()
        .selector();
  }

  static Columns daemonSet() {
    return Sheet.named()
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
            object -> Cells.labels(Cells.at(object, "spec", "template", "spec", "nodeSelector")))
        .age()
        .template()
        .selector();
  }

  private static ToIntFunction<ObjectNode> status(String field) {
    return object -> Cells.number(object, "status", field);
  }

  static Columns statefulSet() {
    return Sheet.named()
        .text("Ready", "Ready pods of the wanted ones.", WorkloadColumns::readyOfWanted)
        .age()
        .template();
  }

  static Columns controllerRevision() {
    return Sheet.named()
        .text("Controller", "The object whose state it is.", WorkloadColumns::controller)
        .count("Revision", "Number of the state.", object -> Cells.number(object, "revision"))
        .age();
  }

  private static String controller(ObjectNode object) {
    for (JsonNode owner : Cells.at(object, "metadata", "ownerReferences")) {
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

  static Columns scale() {
    return Sheet.unnamed()
        .text("Name", "Name of the scaled object.", Cells::name)
        .integer("Desired", "Pods wanted.", object -> Cells.number(object, "spec", "replicas"))
        .integer(
            "Available", "Pods there are.", object -> Cells.number(object, "status", "replicas"))
        .age();
  }

  private static String readyOfWanted(ObjectNode object) {
    return Cells.number(object, "status", "readyReplicas")
        + "/"
        + Cells.number(object, "spec", "replicas");
  }
}
