package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.util.List;
import java.util.Optional;

/// Finds who has to look when an object changes.
public final class Managers {
  private Managers() {}

  /// The owner of the kind that manages the object; for one that nobody manages, all that would.
  ///
  /// @param known all owners of the kind
  public static List<ObjectKey> of(Identity object, ResourceType type, Informer<ObjectNode> known) {
    if (!object.controllerUid().isEmpty()) {
      return managerOf(object, type).stream().toList();
    }
    return known.list().stream()
        .filter(
            one -> one.path("metadata").path("namespace").asText().equals(object.key().namespace()))
        .map(one -> Owner.of(type, one))
        .filter(owner -> owner.selector().matches(object.labels()))
        .map(owner -> owner.identity().key())
        .toList();
  }

  /// The owner that manages the object, if it is of that kind.
  public static Optional<ObjectKey> managerOf(Identity object, ResourceType type) {
    JsonNode controller = object.controller();
    return controller.path("kind").asText().equals(type.kind())
            && controller.path("apiVersion").asText().startsWith(type.group() + "/")
        ? Optional.of(new ObjectKey(object.key().namespace(), controller.path("name").asText()))
        : Optional.empty();
  }
}
