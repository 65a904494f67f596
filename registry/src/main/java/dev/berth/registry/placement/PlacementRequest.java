package dev.berth.registry.placement;

import java.util.List;
import java.util.function.Supplier;

/// A pod, and the cluster that it is for.
///
/// @param handler of the pod's class; empty without one, so that a class may be chosen
/// @param images the pod's images, which all must run
/// @param cluster all nodes
/// @param rules what the pod itself says about nodes
/// @param classes that the pod may use, by name; only asked for when no node runs the images
///   without a class
public record PlacementRequest(
    String handler,
    List<ImageEntries> images,
    ClusterPlatforms cluster,
    NodeRules rules,
    Supplier<List<CandidateClass>> classes) {
  public PlacementRequest {
    images = List.copyOf(images);
  }
}
