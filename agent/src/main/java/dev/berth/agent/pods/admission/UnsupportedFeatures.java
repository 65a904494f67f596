package dev.berth.agent.pods.admission;

import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finds features of a pod that this agent does not provide. The pod stays Pending and its status
/// says why: to start it without the feature would ignore its specification, and to fail it would
/// make its controller create the next one at once. Volumes are checked when they are mounted.
final class UnsupportedFeatures {
  private UnsupportedFeatures() {}

  static Optional<Problem> of(Pod pod) {
    WorkloadType type = WorkloadType.ofPod(pod);
    if (!type.isPlainPod()) {
      return problem(
          pod,
          "spec.%s asks for a %s, which this version of the agent does not start"
              .formatted(type.field(), type.description()),
          "Run it as a container, or delete the pod");
    }
    if (pod.getSpec().getContainers().isEmpty()) {
      return problem(pod, "spec.containers is empty", "Give the pod at least one container");
    }
    String claims =
        pod.getSpec().getResourceClaims().stream()
            .map(PodResourceClaim::getName)
            .collect(Collectors.joining(", "));
    return claims.isEmpty()
        ? Optional.empty()
        : problem(
            pod,
            "spec.resourceClaims asks for devices (%s), which this version of the agent does not prepare"
                .formatted(claims),
            "Remove spec.resourceClaims, or let the pod run on a node whose agent prepares them");
  }

  private static Optional<Problem> problem(Pod pod, String why, String remedy) {
    String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    return Optional.of(new Problem("pod %s cannot start".formatted(name), why, remedy));
  }
}
