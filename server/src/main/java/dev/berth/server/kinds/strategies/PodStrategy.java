package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.PodCreation;
import dev.berth.server.kinds.KindStrategy;
import java.util.List;

/// Sets new pods to Pending and protects metadata against writes to subresources.
public final class PodStrategy implements KindStrategy {
  @Override
  public void prepareCreate(ObjectNode pod) {
    PodCreation.prepare(pod);
  }

  @Override
  public void prepareStatusUpdate(ObjectNode pod, ObjectNode old) {
    for (String field : List.of("ownerReferences", "deletionTimestamp")) {
      CommonStrategy.keep(field, CommonStrategy.metadata(pod), old.path("metadata"));
    }
    PodCreation.prepareStatusUpdate(pod, old);
  }

  /// Other fields of the client's object are ignored.
  @Override
  public void prepareEphemeralContainersUpdate(ObjectNode pod, ObjectNode old) {
    keepMetadata(pod, old);
    ObjectNode spec = old.path("spec").deepCopy();
    CommonStrategy.keep("ephemeralContainers", spec, pod.path("spec"));
    pod.set("spec", spec);
  }

  /// Only the resources of existing containers are taken from the client's object.
  @Override
  public void prepareResize(ObjectNode pod, ObjectNode old) {
    keepMetadata(pod, old);
    ObjectNode spec = old.path("spec").deepCopy();
    for (JsonNode container : spec.path("containers")) {
      for (JsonNode wanted : pod.path("spec").path("containers")) {
        if (wanted.path("name").equals(container.path("name"))) {
          CommonStrategy.keep("resources", (ObjectNode) container, wanted);
          CommonStrategy.keep("resizePolicy", (ObjectNode) container, wanted);
        }
      }
    }
    pod.set("spec", spec);
    if (asksTheNode(pod, old.path("spec").path("containers"))) {
      pod.withObjectProperty("status").put("resize", "Proposed");
    }
  }

  /// Whether the resize needs the node: a container that its node knows gets other resources. The
  /// node's agent removes the mark after its decision. As upstream, nothing is marked without
  /// requests.
  private static boolean asksTheNode(ObjectNode pod, JsonNode before) {
    JsonNode containers = pod.path("spec").path("containers");
    for (int i = 0; i < containers.size(); i++) {
      JsonNode resources = containers.get(i).path("resources");
      if (resources.has("requests")
          && !resources.equals(before.path(i).path("resources"))
          && hasStatus(pod, containers.get(i).path("name"))) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasStatus(ObjectNode pod, JsonNode container) {
    for (JsonNode status : pod.path("status").path("containerStatuses")) {
      if (status.path("name").equals(container)) {
        return true;
      }
    }
    return false;
  }

  /// A write to a subresource cannot change labels, finalizers or owners.
  private static void keepMetadata(ObjectNode pod, ObjectNode old) {
    ObjectNode metadata = old.path("metadata").deepCopy();
    for (String field : List.of("resourceVersion", "uid", "managedFields")) {
      CommonStrategy.keep(field, metadata, pod.path("metadata"));
    }
    pod.set("metadata", metadata);
  }
}
