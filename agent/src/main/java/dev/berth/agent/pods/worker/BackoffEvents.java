package dev.berth.agent.pods.worker;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.WaitingCause;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Writes one event for each back-off of a container, in the kubelet's words. Confined to the
/// worker's thread.
final class BackoffEvents {
  private final PodEvents events;

  /// The end of the back-off that was reported last.
  private final Map<PodPart, Instant> said = new HashMap<>();

  BackoffEvents(PodEvents events) {
    this.events = events;
  }

  /// @param images by container
  void publish(Pod pod, Map<PodPart, ContainerWaiting> waitingParts, UnaryOperator<String> images) {
    waitingParts.forEach(
        (part, waiting) -> {
          boolean isPull = waiting.cause() == WaitingCause.PULL_BACKOFF;
          boolean isWait = isPull || waiting.cause() == WaitingCause.CRASH;
          if (isWait
              && part instanceof PodPart.OneContainer(var container)
              && !waiting.retryAt().equals(said.put(part, waiting.retryAt()))) {
            if (isPull) {
              pull(pod, container, images.apply(container));
            } else {
              restart(pod, container);
            }
          }
        });
  }

  private void pull(Pod pod, String container, String image) {
    events.normal(pod, container, "BackOff", "Back-off pulling image \"%s\"".formatted(image));
    events.warning(pod, container, "Failed", "Error: ImagePullBackOff");
  }

  private void restart(Pod pod, String container) {
    var metadata = pod.getMetadata();
    events.warning(
        pod,
        container,
        "BackOff",
        "Back-off restarting failed container %s in pod %s_%s(%s)"
            .formatted(container, metadata.getName(), metadata.getNamespace(), metadata.getUid()));
  }
}
