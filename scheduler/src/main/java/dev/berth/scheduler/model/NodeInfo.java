package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Quantity;
import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.Taint;
import dev.berth.registry.placement.HandlerPlatforms;
import java.util.HashMap;
import java.util.Map;

/// The fields of a node that scheduling needs.
///
/// @param labels all labels, the host name included
public record NodeInfo(
    String name, Map<String, String> labels, NodeTraits traits, NodeImages images) {
  public static final String OS = "kubernetes.io/os";

  public static NodeInfo parse(JsonNode node) {
    JsonNode spec = node.path("spec");
    JsonNode allocatable = node.path("status").path("allocatable");
    Map<String, String> labels = ObjectTrees.texts(node.path("metadata").path("labels"));
    Map<String, String> shared = new HashMap<>(labels);
    // The host name is different on every node and would give each a shape of its own.
    shared.remove(RequiredNodeAffinity.HOSTNAME);
    return new NodeInfo(
        node.path("metadata").path("name").asText(),
        labels,
        new NodeTraits(
            Map.copyOf(shared),
            ObjectTrees.each(spec.path("taints"), Taint::parse),
            spec.path("unschedulable").asBoolean(),
            ResourceVector.parse(allocatable),
            Quantity.parse(allocatable.path("pods").asText("0")).map(Quantity::value).orElse(0L),
            ReportedRuntimes.parse(node),
            HandlerPlatforms.parse(node)),
        NodeImages.parse(node));
  }
}
