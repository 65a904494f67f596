package dev.berth.agent.pods.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.pods.plan.ContainerHash;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The resources allocated to a pod that asks for a resize: the requested ones, or those it had.
///
/// @param pod with its allocated resources
/// @param refusal as `status.resize` shows it; empty when the request is granted
public record ResourceAllocation(Pod pod, String refusal) {
  /// The node could never provide the resources.
  static final String INFEASIBLE = "Infeasible";

  /// The node cannot provide the resources now.
  static final String DEFERRED = "Deferred";

  private static final JsonMapper MAPPER = new JsonMapper();

  /// Whether the pod asks for other resources than its containers have.
  ///
  /// @param lastStatus the last status, which says what the containers have
  public static boolean asks(Pod pod, JsonNode lastStatus) {
    return pod.getSpec().getContainers().stream()
        .anyMatch(
            container -> {
              ResourceRequirements had = had(container, lastStatus);
              return had != null && !isSame(container.getResources(), had);
            });
  }

  /// Decides about a resize.
  ///
  /// @param others the other pods of the node, with their allocated resources
  public static ResourceAllocation of(
      Pod pod, JsonNode lastStatus, List<Pod> others, ContainerCapacity node) {
    String refusal = refusal(pod, others, node);
    return refusal.isEmpty()
        ? new ResourceAllocation(pod, "")
        : new ResourceAllocation(asBefore(pod, lastStatus), refusal);
  }

  private static String refusal(Pod pod, List<Pod> others, ContainerCapacity node) {
    ResourceAmounts sum = PodResources.requestsWithOverhead(PodView.of(pod));
    if (exceeds(sum, node)) {
      return INFEASIBLE;
    }
    for (Pod other : others) {
      sum = sum.plus(PodResources.requestsWithOverhead(PodView.of(other)));
    }
    return exceeds(sum, node) ? DEFERRED : "";
  }

  private static boolean exceeds(ResourceAmounts sum, ContainerCapacity node) {
    return exceeds(sum.orZero("cpu").milli(), node.cpuMilli())
        || exceeds(sum.orZero("memory").value(), node.memoryBytes());
  }

  /// The node's capacity may be unknown.
  private static boolean exceeds(long amount, long limit) {
    return limit > 0 && amount > limit;
  }

  private static Pod asBefore(Pod pod, JsonNode lastStatus) {
    List<Container> containers =
        pod.getSpec().getContainers().stream()
            .map(
                container -> {
                  ResourceRequirements had = had(container, lastStatus);
                  return had == null
                      ? container
                      : new ContainerBuilder(container).withResources(had).build();
                })
            .toList();
    return new PodBuilder(pod).editSpec().withContainers(containers).endSpec().build();
  }

  private static @Nullable ResourceRequirements had(Container container, JsonNode lastStatus) {
    for (JsonNode status : lastStatus.path("containerStatuses")) {
      if (status.path("name").asText().equals(container.getName()) && status.has("resources")) {
        try {
          return MAPPER.treeToValue(status.get("resources"), ResourceRequirements.class);
        } catch (JsonProcessingException _) {
          return null; // Another writer's status.
        }
      }
    }
    return null;
  }

  private static boolean isSame(@Nullable ResourceRequirements wanted, ResourceRequirements had) {
    return ContainerHash.ofResources(new ContainerBuilder().withResources(wanted).build())
        .equals(ContainerHash.ofResources(new ContainerBuilder().withResources(had).build()));
  }
}
