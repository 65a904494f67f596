package dev.berth.controllers.gc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Changes the ownership entries of live objects: strips references, unblocks owners, removes
/// finalizers.
///
/// Each change is a merge patch on the revision that was read; after a conflict the caller reads
/// again.
final class OwnerReferenceEdits {
  private final ApiClient client;

  OwnerReferenceEdits(ApiClient client) {
    this.client = client;
  }

  /// Removes the references to these owners.
  void strip(GraphNode object, Set<String> ownerUids) {
    change(
        object,
        "ownerReferences",
        list -> keep(list, reference -> !ownerUids.contains(reference.path("uid").asText())));
  }

  /// Clears `blockOwnerDeletion` in all references of the object.
  void unblock(GraphNode object) {
    change(
        object,
        "ownerReferences",
        list -> {
          ArrayNode next = list.deepCopy();
          next.forEach(reference -> ((ObjectNode) reference).put("blockOwnerDeletion", false));
          return next;
        });
  }

  void removeFinalizer(GraphNode object, String finalizer) {
    change(object, "finalizers", list -> keep(list, name -> !name.asText().equals(finalizer)));
  }

  /// Changes a list in the metadata of a live object. Nothing happens if the object is gone, is
  /// another one of the same name, or has the wanted list already.
  private void change(GraphNode object, String field, UnaryOperator<ArrayNode> edit) {
    ResourceClient<ObjectNode> objects = client.json(object.type());
    Optional<ObjectNode> live = objects.find(object.key());
    if (live.isEmpty()
        || !live.get().path("metadata").path("uid").asText().equals(object.uid())
        || !(live.get().path("metadata").get(field) instanceof ArrayNode list)) {
      return;
    }
    ArrayNode next = edit.apply(list);
    if (next.equals(list)) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", object.uid());
    metadata.set("resourceVersion", live.get().path("metadata").get("resourceVersion"));
    metadata.set(field, next);
    try {
      objects.patch(object.key(), ObjectPatch.merge(patch));
    } catch (ApiException e) {
      if (!e.isObjectNotFound()) {
        throw e;
      }
    }
  }

  private static ArrayNode keep(ArrayNode list, Predicate<JsonNode> which) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    list.valueStream().filter(which).forEach(kept::add);
    return kept;
  }
}
