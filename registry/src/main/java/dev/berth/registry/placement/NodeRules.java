package dev.berth.registry.placement;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// What a pod says about nodes.
///
/// @param allowed whether the pod's own selector, affinity and system allow a node
/// @param preferred whether the pod tolerates a node's taints: taints come and go, so they only
///   decide between selectors
/// @param labels the labels at which `allowed` looks, beside those of platforms; empty when it may
///   distinguish any two nodes
public record NodeRules(
    Predicate<NodePlatforms> allowed,
    Predicate<NodePlatforms> preferred,
    Optional<Set<String>> labels) {
  public NodeRules {
    labels = labels.map(Set::copyOf);
  }
}
