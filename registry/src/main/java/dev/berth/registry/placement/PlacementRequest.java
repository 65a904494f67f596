package dev.berth.registry.placement;

import java.util.List;
import java.util.function.Predicate;

/// A pod without a class, and the cluster that it is for.
///
/// @param images the pod's images, which all must run
/// @param nodes all nodes of the cluster
/// @param allowed whether the pod's own selector, affinity and system allow a node
/// @param preferred whether the pod tolerates a node's taints: taints come and go, so they only
///   decide between selectors
/// @param classes that the pod may use, by name
public record PlacementRequest(
    List<ImageEntries> images,
    List<NodePlatforms> nodes,
    Predicate<NodePlatforms> allowed,
    Predicate<NodePlatforms> preferred,
    List<CandidateClass> classes) {
  public PlacementRequest {
    images = List.copyOf(images);
    nodes = List.copyOf(nodes);
    classes = List.copyOf(classes);
  }
}
