package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The part of a pod's specification that decides what the pod takes from a node.
///
/// @param containers with the workload of another type, such as a virtual machine, which counts as
///   a container
/// @param hasPodResources whether the pod as a whole has `spec.resources` (KEP-2837)
/// @param overhead what the runtime needs beside the containers, as the RuntimeClass says (KEP-688)
public record PodView(
    List<ContainerView> containers,
    List<ContainerView> initContainers,
    boolean hasPodResources,
    ResourceAmounts podRequests,
    ResourceAmounts podLimits,
    ResourceAmounts overhead) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public PodView {
    containers = List.copyOf(containers);
    initContainers = List.copyOf(initContainers);
  }

  /// Reads the JSON tree of a pod's `spec`.
  public static PodView of(JsonNode spec) {
    List<ContainerView> containers = new ArrayList<>();
    spec.path("containers").forEach(one -> containers.add(ContainerView.of(one)));
    PodWorkload.in(spec).forEach(one -> containers.add(ContainerView.of(one.tree())));
    List<ContainerView> initContainers = new ArrayList<>();
    spec.path("initContainers").forEach(one -> initContainers.add(ContainerView.of(one)));
    JsonNode resources = spec.path("resources");
    return new PodView(
        containers,
        initContainers,
        resources.isObject(),
        ResourceAmounts.of(resources.path("requests")),
        ResourceAmounts.of(resources.path("limits")),
        ResourceAmounts.of(spec.path("overhead")));
  }

  /// Reads a pod in fabric8's model, which keeps fields beyond Kubernetes as maps.
  public static PodView of(Pod pod) {
    PodSpec spec = pod.getSpec();
    List<ContainerView> containers = new ArrayList<>();
    spec.getContainers().forEach(one -> containers.add(ContainerView.of(one)));
    if (!spec.getAdditionalProperties().isEmpty()) {
      PodWorkload.in(MAPPER.<JsonNode>valueToTree(spec.getAdditionalProperties()))
          .forEach(one -> containers.add(ContainerView.of(one.tree())));
    }
    var resources = spec.getResources();
    return new PodView(
        containers,
        spec.getInitContainers().stream().map(ContainerView::of).toList(),
        resources != null,
        amounts(resources == null ? null : resources.getRequests()),
        amounts(resources == null ? null : resources.getLimits()),
        amounts(spec.getOverhead()));
  }

  static ResourceAmounts amounts(
      @Nullable Map<String, io.fabric8.kubernetes.api.model.Quantity> quantities) {
    if (quantities == null || quantities.isEmpty()) {
      return ResourceAmounts.NONE;
    }
    Map<String, Quantity> amounts = new TreeMap<>();
    quantities.forEach(
        (name, quantity) ->
            Quantity.parse(quantity.toString()).ifPresent(amount -> amounts.put(name, amount)));
    return ResourceAmounts.of(amounts);
  }
}
