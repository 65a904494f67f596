package dev.berth.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The metadata of an object, for code that needs nothing else; timestamps are the server's text.
///
/// @param deletionTimestamp empty while the object is not being deleted
public record ObjectMetadata(
    ObjectKey key,
    String uid,
    String resourceVersion,
    String creationTimestamp,
    String deletionTimestamp,
    Map<String, String> labels,
    List<OwnerReference> owners,
    List<String> finalizers) {
  public ObjectMetadata {
    labels = Map.copyOf(labels);
    owners = List.copyOf(owners);
    finalizers = List.copyOf(finalizers);
  }

  public boolean isBeingDeleted() {
    return !deletionTimestamp.isEmpty();
  }

  public Optional<OwnerReference> ownerWithUid(String ownerUid) {
    return owners.stream().filter(owner -> owner.uid().equals(ownerUid)).findFirst();
  }
}
