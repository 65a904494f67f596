package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorTree;
import dev.berth.client.ApiClient;
import dev.berth.client.ResourceType;

/// An object that manages others, as its cache has it.
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

  /// Asks the server: a cache may not know yet that the owner is going, or is another one of its
  /// name.
  public boolean isLive(ApiClient client) {
    return client
        .json(type)
        .find(identity.key())
        .map(ObjectIdentity::of)
        .filter(live -> live.uid().equals(uid()) && !live.isBeingDeleted())
        .isPresent();
  }

  /// What owned objects say of it.
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
