package dev.berth.registry.placement;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Taint;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The handlers of a node and the platforms that they run, as the Node object reports them
/// (docs/runtime-services-contract.md).
///
/// @param taints those that keep pods away
public record NodePlatforms(
    String node, Map<String, String> labels, List<Taint> taints, HandlerPlatforms runs) {
  public static final String SERVICES_ANNOTATION = "berth.dev/runtime-services";

  /// The handler of pods without a class.
  public static final String DEFAULT_HANDLER = "";

  public NodePlatforms {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /// Reads a Node object.
  public static NodePlatforms parse(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    Map<String, String> labels = new HashMap<>();
    metadata
        .path("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    List<Taint> taints = new ArrayList<>();
    node.path("spec").path("taints").forEach(taint -> taints.add(Taint.parse(taint)));
    taints.removeIf(taint -> !taint.isHard());
    return new NodePlatforms(
        metadata.path("name").asText(""), labels, taints, HandlerPlatforms.parse(node));
  }

  /// The targets of each handler, with "" for pods without a class.
  public Map<String, List<TargetPlatform>> handlers() {
    return runs.targets();
  }

  /// The node as a pod sees it that names a runtime service.
  NodePlatforms ofService(String name) {
    return new NodePlatforms(node, labels, taints, runs.ofService(name));
  }

  public boolean offers(String handler) {
    return handlers().containsKey(handler);
  }

  /// Empty when the node does not offer the handler, or when nobody knows its platform.
  public List<TargetPlatform> targets(String handler) {
    return handlers().getOrDefault(handler, List.of());
  }
}
