package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorTree;
import dev.berth.client.ApiClient;
import dev.berth.client.ResourceType;

/// A cached object that manages other objects. The tree is shared with the cache and must not be
/// changed.
public record WorkloadOwner(
    ResourceType type, ObjectNode tree, ObjectIdentity identity, LabelSelector selector) {
  public static WorkloadOwner of(ResourceType type, ObjectNode tree) {
    return new WorkloadOwner(
        type,
        tree,
        ObjectIdentity.of(tree),
        SelectorTree.selector(tree.path("spec").path("selector")));
  }

  public String uid() {
    return identity.uid();
  }

  /// Reads the owner from the server: the cache may not show yet that it is being deleted or was
  /// replaced by another object of the same name.
  public boolean isLive(ApiClient client) {
    return client
        .json(type)
        .find(identity.key())
        .map(ObjectIdentity::of)
        .filter(live -> live.uid().equals(uid()) && !live.isBeingDeleted())
        .isPresent();
  }

  /// The owner reference in owned objects.
  public ObjectNode reference() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", type.apiVersion())
        .put("kind", type.kind())
        .put("name", identity.key().name())
        .put("uid", uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }
}
