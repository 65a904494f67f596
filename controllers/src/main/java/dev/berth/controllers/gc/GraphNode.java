package dev.berth.controllers.gc;

import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.OwnerReference;
import dev.berth.client.ResourceType;
import java.util.List;
import java.util.Optional;

/// The graph's record of an object that a monitor has seen.
record GraphNode(
    ResourceType type,
    ObjectKey key,
    String uid,
    List<OwnerReference> owners,
    boolean beingDeleted,
    boolean waitsForDependents,
    boolean orphansDependents) {
  static final String FOREGROUND = "foregroundDeletion";
  static final String ORPHAN = "orphan";

  static GraphNode of(ResourceType type, ObjectMetadata object) {
    return new GraphNode(
        type,
        object.key(),
        object.uid(),
        object.owners(),
        object.isBeingDeleted(),
        waitsForDependents(object),
        object.isBeingDeleted() && object.finalizers().contains(ORPHAN));
  }

  /// Whether foreground deletion has begun: the object stays until its dependents are gone.
  static boolean waitsForDependents(ObjectMetadata object) {
    return object.isBeingDeleted() && object.finalizers().contains(FOREGROUND);
  }

  Optional<OwnerReference> reference(String ownerUid) {
    return owners.stream().filter(owner -> owner.uid().equals(ownerUid)).findFirst();
  }

  /// Whether a reference from an object of that namespace refers to this object: kind, name and
  /// scope must match in addition to the uid.
  boolean isMeantBy(OwnerReference reference, String namespace) {
    return reference.uid().equals(uid)
        && reference.kind().equals(type.kind())
        && reference.group().equals(type.group())
        && reference.name().equals(key.name())
        && (!type.namespaced() || key.namespace().equals(namespace));
  }

  @Override
  public String toString() {
    return type + " " + key;
  }
}
