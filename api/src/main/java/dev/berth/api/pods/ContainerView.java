package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.ResourceAmounts;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A container, or the virtual machine of a pod, in the form that the rules about pods read.
///
/// @param isSidecar whether it is an init container that keeps running beside the containers
///   (KEP-753)
/// @param hostPorts the ports of the node that it takes
public record ContainerView(
    boolean isSidecar, ResourceAmounts requests, ResourceAmounts limits, List<HostPort> hostPorts) {
  private static final String ALWAYS = "Always";

  public ContainerView {
    hostPorts = List.copyOf(hostPorts);
  }

  static ContainerView of(JsonNode container) {
    JsonNode resources = container.path("resources");
    return new ContainerView(
        isSidecar(container),
        ResourceAmounts.of(resources.path("requests")),
        ResourceAmounts.of(resources.path("limits")),
        HostPort.of(container));
  }

  public static ContainerView of(Container container) {
    ResourceRequirements resources = container.getResources();
    return new ContainerView(
        isSidecar(container),
        PodView.amounts(resources == null ? null : resources.getRequests()),
        PodView.amounts(resources == null ? null : resources.getLimits()),
        HostPort.of(container));
  }

  /// Whether an init container keeps running beside the containers.
  public static boolean isSidecar(JsonNode initContainer) {
    return isSidecar(initContainer.path("restartPolicy").asText());
  }

  /// Whether an init container keeps running beside the containers.
  public static boolean isSidecar(Container initContainer) {
    return isSidecar(initContainer.getRestartPolicy());
  }

  private static boolean isSidecar(@Nullable String restartPolicy) {
    return ALWAYS.equals(restartPolicy);
  }
}
