package dev.berth.agent.runtimes;

import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.WorkloadType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import org.jspecify.annotations.Nullable;

/// The properties of a pod that decide its runtime service.
///
/// @param name with its namespace, for messages
/// @param serviceName the service that the pod asks for; null when it leaves the choice
/// @param mayHaveStarted whether its status says that it may have started: a sandbox may exist
///   somewhere
public record PodRequest(
    String uid,
    String name,
    WorkloadType workloadType,
    @Nullable String serviceName,
    boolean hostNetwork,
    boolean mayHaveStarted) {
  /// The type of the pod condition that names its runtime service.
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

  /// A pod that waits for a service has a status that says so.
  private static boolean mayHaveStarted(@Nullable PodStatus status) {
    return status != null
        && status.getStartTime() != null
        && status.getConditions().stream()
            .noneMatch(one -> one.getType().equals(BOUND) && one.getStatus().equals("False"));
  }
}
