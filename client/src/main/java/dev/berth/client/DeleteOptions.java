package dev.berth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// How to delete: only the very object that was seen, what becomes of dependents, how gracefully.
public record DeleteOptions(
    @Nullable Propagation propagation,
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Integer gracePeriodSeconds) {
  /// What becomes of the objects that name the deleted one as their owner.
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

  /// Refuses to delete another object that took the name.
  public static DeleteOptions ofUid(String uid) {
    return new DeleteOptions(null, uid, null, null);
  }

  public DeleteOptions with(Propagation policy) {
    return new DeleteOptions(policy, uid, resourceVersion, gracePeriodSeconds);
  }

  /// Refuses to delete when the object has changed since.
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
