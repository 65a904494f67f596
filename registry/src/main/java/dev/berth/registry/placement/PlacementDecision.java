package dev.berth.registry.placement;

import java.util.Map;

/// What is to be done with a pod so that it runs only where its images run.
public sealed interface PlacementDecision {
  /// Every node that the pod allows runs its images, or nothing is known.
  record Fits() implements PlacementDecision {}

  /// Some nodes run the images.
  ///
  /// @param selector labels that only such nodes have
  record Narrow(Map<String, String> selector) implements PlacementDecision {
    public Narrow {
      selector = Map.copyOf(selector);
    }
  }

  /// No node runs the images without a class, but nodes of a RuntimeClass do.
  ///
  /// @param selector labels to add where only some nodes of the class run the images; mostly empty
  /// @param reason why the pod cannot run without the class, in one sentence
  record Choose(String className, Map<String, String> selector, String reason)
      implements PlacementDecision {
    public Choose {
      selector = Map.copyOf(selector);
    }
  }

  /// No node that the pod allows could ever run the images.
  ///
  /// @param reason in one sentence, with what would do
  record Refuse(String reason) implements PlacementDecision {}
}
