package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Adopts and releases objects of one kind, so that at most one owner manages each of them. The
/// server decides between two owners with the same selector: the second patch has a stale revision.
public final class ControllerClaims {
  private final ApiClient client;
  private final ResourceType type;

  public ControllerClaims(ApiClient client, ResourceType type) {
    this.client = client;
    this.type = type;
  }

  /// The objects that the owner manages after adoption and release.
  public <T> List<T> claim(
      WorkloadOwner owner, List<T> candidates, Function<T, ObjectIdentity> identity) {
    List<T> mine = new ArrayList<>();
    for (T one : candidates) {
      switch (ControllerClaim.of(owner, identity.apply(one))) {
        case KEEP -> mine.add(one);
        case ADOPT -> {
          if (adopt(owner, identity.apply(one))) {
            mine.add(one);
          }
        }
        case RELEASE -> release(owner, identity.apply(one));
        case LEAVE -> {}
      }
    }
    return mine;
  }

  private boolean adopt(WorkloadOwner owner, ObjectIdentity object) {
    // An owner that is being deleted must not adopt: the garbage collector would delete the object.
    if (!owner.isLive(client)) {
      return false;
    }
    ArrayNode owners = JsonNodeFactory.instance.arrayNode();
    object.owners().forEach(owners::add);
    owners.add(owner.reference());
    return write(object, owners);
  }

  private void release(WorkloadOwner owner, ObjectIdentity object) {
    ArrayNode owners = JsonNodeFactory.instance.arrayNode();
    for (JsonNode one : object.owners()) {
      if (!one.path("uid").asText().equals(owner.uid())) {
        owners.add(one);
      }
    }
    boolean _ = write(object, owners);
  }

  /// The patch has the cached resourceVersion as its precondition; a conflict ends this
  /// reconciliation.
  private boolean write(ObjectIdentity object, ArrayNode owners) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", object.uid()).put("resourceVersion", object.resourceVersion());
    metadata.set("ownerReferences", owners);
    try {
      client.json(type).patch(object.key(), ObjectPatch.merge(patch));
      return true;
    } catch (ApiException e) {
      // The object is gone; the cache will show it.
      if (e.isNotFound()) {
        return false;
      }
      throw e;
    }
  }
}
