package dev.berth.scheduler.model;

import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import java.util.Map;

/// The resources that a pod takes from a node, overhead included, in the scheduler's units.
///
/// @param real the requests that the node must have free
/// @param assumedCpu for scores: a container without requests still uses something
/// @param assumedMemory likewise
record PodRequests(ResourceVector real, long assumedCpu, long assumedMemory) {
  /// Upstream's defaults for containers without requests, used in scores only.
  private static final ResourceAmounts USUAL =
      ResourceAmounts.of(
          Map.of("cpu", Quantity.ofMilli(100), "memory", Quantity.ofBytes(200L << 20)));

  static PodRequests of(PodView pod) {
    ResourceVector assumed = ResourceVector.of(PodResources.assumedRequests(pod, USUAL));
    return new PodRequests(
        ResourceVector.of(PodResources.requestsWithOverhead(pod)), assumed.cpu(), assumed.memory());
  }
}
