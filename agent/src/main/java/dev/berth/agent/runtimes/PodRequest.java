package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.registration.WorkloadType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Map;
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
  /// Stands for `spec.runtimeServiceName` where an API server prunes fields it does not know.
  public static final String ANNOTATION = "berth.dev/runtime-service";

  /// The condition of a pod that says to which runtime service it belongs.
  public static final String BOUND = "RuntimeServiceBound";

  public static PodRequest of(Pod pod) {
    PodSpec spec = pod.getSpec();
    Map<String, Object> beyondKubernetes = spec.getAdditionalProperties();
    return new PodRequest(
        pod.getMetadata().getUid(),
        pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(),
        beyondKubernetes.get("virtualMachine") == null ? WorkloadType.CONTAINER : WorkloadType.VM,
        serviceName(pod, beyondKubernetes.get("runtimeServiceName")),
        Boolean.TRUE.equals(spec.getHostNetwork()),
        mayHaveStarted(pod.getStatus()));
  }

  /// One that still waits for a service says so.
  private static boolean mayHaveStarted(@Nullable PodStatus status) {
    return status != null
        && status.getStartTime() != null
        && status.getConditions().stream()
            .noneMatch(one -> one.getType().equals(BOUND) && one.getStatus().equals("False"));
  }

  private static @Nullable String serviceName(Pod pod, @Nullable Object field) {
    if (field instanceof String name && !name.isEmpty()) {
      return name;
    }
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    String name = annotations == null ? null : annotations.get(ANNOTATION);
    return name == null || name.isEmpty() ? null : name;
  }
}
