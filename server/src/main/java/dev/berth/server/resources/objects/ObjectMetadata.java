package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Reads and protects the fields of `metadata` that the server owns.
public final class ObjectMetadata {
  /// Fields that a client cannot change; an update takes them from the stored object.
  private static final List<String> SERVER_OWNED =
      List.of(
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "generation",
          "selfLink");

  /// Fields that mark a deletion. Validation rejects a client that sets them on another object.
  private static final List<String> DELETION =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds");

  private ObjectMetadata() {}

  public static ObjectNode of(ObjectNode object) {
    return object.get("metadata") instanceof ObjectNode metadata
        ? metadata
        : object.putObject("metadata");
  }

  public static String text(ObjectNode object, String field) {
    return object.path("metadata").path(field).asText();
  }

  public static boolean isBeingDeleted(ObjectNode object) {
    return !text(object, "deletionTimestamp").isEmpty();
  }

  public static boolean hasFinalizers(ObjectNode object) {
    return !object.path("metadata").path("finalizers").isEmpty();
  }

  /// Deletion marks that the client sends for an object that is not being deleted stay, so that
  /// validation reports them instead of the write dropping them silently.
  public static void keepServerOwned(ObjectNode object, ObjectNode live) {
    ObjectNode metadata = of(object);
    JsonNode stored = live.path("metadata");
    for (String field : SERVER_OWNED) {
      JsonNode value = stored.path(field);
      if (!value.isMissingNode()) {
        metadata.set(field, value);
      } else if (!DELETION.contains(field)) {
        metadata.remove(field);
      }
    }
  }

  public static void dropServerOwned(ObjectNode object) {
    of(object).remove(SERVER_OWNED);
    of(object).remove("resourceVersion");
  }
}
