package dev.berth.agent.runtimes;

import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.WorkloadType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import org.jspecify.annotations.Nullable;

/// What matters of a pod when a runtime service is chosen for it.
///
/// @param name with its namespace, for messages
/// @param serviceName the service that the pod asks for; null when it leaves the choice
/// @param mayHaveStarted it was seen to start before: there may be a sandbox of it somewhere
public record PodRequest(
    String uid,
    String name,
    WorkloadType workloadType,
    @Nullable String serviceName,
    boolean hostNetwork,
    boolean mayHaveStarted) {
  /// The condition of a pod that says to which runtime service it belongs.
  public static final String BOUND = "RuntimeServiceBound";

  public static PodRequest of(Pod pod) {
    PodRuntime runtime = PodRuntime.of(pod);
    return new PodRequest(
        pod.getMetadata().getUid(),
        pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(),
        runtime.workloadType(),
        runtime.serviceName().isEmpty() ? null : runtime.serviceName(),
        Boolean.TRUE.equals(pod.getSpec().getHostNetwork()),
        mayHaveStarted(pod.getStatus()));
  }

  /// One that still waits for a service says so.
  private static boolean mayHaveStarted(@Nullable PodStatus status) {
    return status != null
        && status.getStartTime() != null
        && status.getConditions().stream()
            .noneMatch(one -> one.getType().equals(BOUND) && one.getStatus().equals("False"));
  }
}
