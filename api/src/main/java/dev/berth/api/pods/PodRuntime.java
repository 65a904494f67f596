package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;

/// What a pod says of the runtime service that is to run it.
///
/// @param className the RuntimeClass, empty for none
/// @param serviceName the runtime service by name, empty when the pod leaves the choice
public record PodRuntime(WorkloadType workloadType, String className, String serviceName) {
  /// The name by which a pod asks for the default service of its workload type.
  public static final String DEFAULT_SERVICE = "default";

  private static final String VIRTUAL_MACHINE = "virtualMachine";
  private static final String SERVICE = "runtimeServiceName";

  /// Reads the JSON tree of a pod.
  public static PodRuntime of(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    return new PodRuntime(
        typeOf(spec.path(VIRTUAL_MACHINE).isObject()),
        spec.path("runtimeClassName").asText(""),
        serviceName(
            spec.path(SERVICE).asText(),
            pod.path("metadata")
                .path("annotations")
                .path(PodAnnotations.RUNTIME_SERVICE)
                .asText()));
  }

  /// Reads a pod in fabric8's model.
  public static PodRuntime of(Pod pod) {
    Map<String, Object> beyondKubernetes = pod.getSpec().getAdditionalProperties();
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    String className = pod.getSpec().getRuntimeClassName();
    return new PodRuntime(
        typeOf(beyondKubernetes.get(VIRTUAL_MACHINE) != null),
        className == null ? "" : className,
        serviceName(
            beyondKubernetes.get(SERVICE) instanceof String name ? name : "",
            annotations == null
                ? ""
                : annotations.getOrDefault(PodAnnotations.RUNTIME_SERVICE, "")));
  }

  private static WorkloadType typeOf(boolean hasVirtualMachine) {
    return hasVirtualMachine ? WorkloadType.VM : WorkloadType.CONTAINER;
  }

  private static String serviceName(String field, String annotation) {
    return field.isEmpty() ? annotation : field;
  }

  /// Whether the pod asks for the default service of its workload type, whatever that is called.
  public boolean asksForDefaultService() {
    return serviceName.equals(DEFAULT_SERVICE);
  }
}
