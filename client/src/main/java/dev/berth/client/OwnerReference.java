package dev.berth.client;

/// One entry of an object's `metadata.ownerReferences`.
public record OwnerReference(
    String apiVersion, String kind, String name, String uid, boolean blockOwnerDeletion) {
  /// The API group of the owner, empty for the core group.
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
