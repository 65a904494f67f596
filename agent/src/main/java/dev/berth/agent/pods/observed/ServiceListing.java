package dev.berth.agent.pods.observed;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Everything that a runtime service has, by the UID of the pod.
record ServiceListing(Map<String, ObservedPod> byPod) {
  ServiceListing {
    byPod = Map.copyOf(byPod);
  }

  Set<String> pods() {
    return byPod.keySet();
  }

  ObservedPod of(String podUid) {
    return byPod.getOrDefault(podUid, new ObservedPod(List.of(), List.of()));
  }
}
