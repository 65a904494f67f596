package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.ContainerHash;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes allocated and actual resources into container statuses.
record ContainerResources(StatusFacts facts) {
  private static final String RESOURCES = "resources";

  /// Adds resources to the statuses.
  ///
  /// @return the value of `status.resize`
  String addTo(List<ObjectNode> statuses) {
    boolean inProgress = false;
    for (ObjectNode status : statuses) {
      Container container = container(status.path("name").asText());
      if (container != null && !isEmpty(container.getResources())) {
        inProgress |= !add(status, container);
      }
    }
    String refusal = facts.allotted().refusal();
    return refusal.isEmpty() && inProgress ? "InProgress" : refusal;
  }

  /// Adds the resources of one container.
  ///
  /// @return whether actual and allocated resources agree
  private boolean add(ObjectNode status, Container container) {
    ResourceRequirements wanted = container.getResources();
    status.set("allocatedResources", amounts(wanted.getRequests()));
    ObservedContainer instance = facts.observed().newest(container.getName());
    String hash = ContainerHash.ofResources(container);
    boolean has =
        instance == null
            || !instance.isRunning()
            || ContainerHash.present(instance, facts.allotted().resized(), hash).equals(hash);
    if (has) {
      ObjectNode resources = status.putObject(RESOURCES);
      put(resources, "limits", wanted.getLimits());
      put(resources, "requests", wanted.getRequests());
    } else {
      JsonNode before = before(container.getName());
      if (before.isObject()) {
        status.set(RESOURCES, before.deepCopy());
      }
    }
    return has;
  }

  private @Nullable Container container(String name) {
    return facts.allotted().pod().getSpec().getContainers().stream()
        .filter(one -> one.getName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private JsonNode before(String name) {
    for (JsonNode status : facts.before().path("containerStatuses")) {
      if (status.path("name").asText().equals(name)) {
        return status.path(RESOURCES);
      }
    }
    return JsonNodeFactory.instance.missingNode();
  }

  private static boolean isEmpty(@Nullable ResourceRequirements resources) {
    return resources == null
        || (amounts(resources.getLimits()).isEmpty() && amounts(resources.getRequests()).isEmpty());
  }

  private static void put(
      ObjectNode resources, String field, @Nullable Map<String, Quantity> amounts) {
    ObjectNode node = amounts(amounts);
    if (!node.isEmpty()) {
      resources.set(field, node);
    }
  }

  private static ObjectNode amounts(@Nullable Map<String, Quantity> amounts) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    if (amounts != null) {
      amounts.forEach((name, amount) -> node.put(name, amount.toString()));
    }
    return node;
  }
}
