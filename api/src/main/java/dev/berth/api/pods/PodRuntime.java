package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;

/// A pod's requirements on its runtime service.
///
/// @param className the RuntimeClass, empty for none
/// @param serviceName the requested runtime service, empty when the pod leaves the choice
public record PodRuntime(WorkloadType workloadType, String className, String serviceName) {
  /// The name by which a pod asks for the default service of its workload type.
  public static final String DEFAULT_SERVICE = "default";

  /// The field of a pod's `spec` that names its RuntimeClass.
  public static final String CLASS_FIELD = "runtimeClassName";

  /// The field of a pod's `spec` that names its runtime service.
  public static final String SERVICE_FIELD = "runtimeServiceName";

  /// Reads the JSON tree of a pod.
  public static PodRuntime of(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    return new PodRuntime(
        WorkloadType.ofSpec(spec),
        className(spec),
        serviceName(
            spec.path(SERVICE_FIELD).asText(""),
            pod.path("metadata")
                .path("annotations")
                .path(PodAnnotations.RUNTIME_SERVICE)
                .asText("")));
  }

  /// Reads a pod in fabric8's model.
  public static PodRuntime of(Pod pod) {
    return new PodRuntime(
        WorkloadType.ofPod(pod),
        Objects.requireNonNullElse(pod.getSpec().getRuntimeClassName(), ""),
        serviceName(
            Objects.toString(pod.getSpec().getAdditionalProperties().get(SERVICE_FIELD), ""),
            PodSource.annotations(pod).getOrDefault(PodAnnotations.RUNTIME_SERVICE, "")));
  }

  /// The RuntimeClass that a pod's `spec` names; empty for none.
  public static String className(JsonNode spec) {
    return spec.path(CLASS_FIELD).asText("");
  }

  private static String serviceName(String field, String annotation) {
    return field.isEmpty() ? annotation : field;
  }

  /// Whether the pod asks for the default service of its workload type, whatever that is called.
  public boolean asksForDefaultService() {
    return serviceName.equals(DEFAULT_SERVICE);
  }
}
