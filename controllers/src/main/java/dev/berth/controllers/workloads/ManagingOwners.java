package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Finds the owners to reconcile when an object changes. Orphans cost a search through all owners
/// of the kind; they are rare.
public final class ManagingOwners {
  private ManagingOwners() {}

  /// The owners of an object in its current and in its previous state.
  public static <T> List<ObjectKey> of(
      InformerEvent<T> change,
      Function<T, ObjectIdentity> identity,
      ResourceType type,
      Informer<ObjectNode> known) {
    Stream<T> versions =
        // The previous owner matters too: a change of labels or owners may take the object from it.
        change instanceof InformerEvent.Updated<T>(T before, T now)
            ? Stream.of(now, before)
            : Stream.of(change.latest());
    return versions.map(identity).flatMap(one -> of(one, type, known).stream()).toList();
  }

  /// The owner of the kind that manages the object; for an orphan, all owners whose selector
  /// matches it.
  ///
  /// @param known all owners of the kind
  public static List<ObjectKey> of(
      ObjectIdentity object, ResourceType type, Informer<ObjectNode> known) {
    if (!object.controllerUid().isEmpty()) {
      return managerOf(object, type).stream().toList();
    }
    return known.list().stream()
        .filter(
            one -> one.path("metadata").path("namespace").asText().equals(object.key().namespace()))
        .map(one -> WorkloadOwner.of(type, one))
        .filter(owner -> owner.selector().matches(object.labels()))
        .map(owner -> owner.identity().key())
        .toList();
  }

  /// The owner that manages the object, if it is of that kind.
  public static Optional<ObjectKey> managerOf(ObjectIdentity object, ResourceType type) {
    JsonNode controller = object.controller();
    return controller.path("kind").asText().equals(type.kind())
            && controller.path("apiVersion").asText().startsWith(type.group() + "/")
        ? Optional.of(new ObjectKey(object.key().namespace(), controller.path("name").asText()))
        : Optional.empty();
  }
}
