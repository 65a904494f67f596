package dev.berth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Options of a deletion: preconditions on UID and revision, propagation policy, grace period.
public record DeleteOptions(
    @Nullable Propagation propagation,
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Integer gracePeriodSeconds) {
  /// The propagation policy: what happens to the dependents of the deleted object.
  public enum Propagation {
    BACKGROUND("Background"),
    FOREGROUND("Foreground"),
    ORPHAN("Orphan");

    private final String text;

    Propagation(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public static final DeleteOptions DEFAULT = new DeleteOptions(null, null, null, null);

  /// Precondition: the object has this UID, so that a new object of the same name is not deleted.
  public static DeleteOptions ofUid(String uid) {
    return new DeleteOptions(null, uid, null, null);
  }

  public DeleteOptions with(Propagation policy) {
    return new DeleteOptions(policy, uid, resourceVersion, gracePeriodSeconds);
  }

  /// Precondition: the object has this resourceVersion.
  public DeleteOptions ifUnchangedSince(String version) {
    return new DeleteOptions(propagation, uid, version, gracePeriodSeconds);
  }

  public DeleteOptions withGracePeriod(int seconds) {
    return new DeleteOptions(propagation, uid, resourceVersion, seconds);
  }

  byte[] body() {
    ObjectNode body = ClientJson.MAPPER.createObjectNode();
    body.put("kind", "DeleteOptions").put("apiVersion", "v1");
    if (propagation != null) {
      body.put("propagationPolicy", propagation.toString());
    }
    if (gracePeriodSeconds != null) {
      body.put("gracePeriodSeconds", gracePeriodSeconds);
    }
    if (uid != null) {
      ClientJson.object(body, "preconditions").put("uid", uid);
    }
    if (resourceVersion != null) {
      ClientJson.object(body, "preconditions").put("resourceVersion", resourceVersion);
    }
    return ClientJson.bytes(body);
  }
}
