package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.ResourceClient;

/// Writes the status of an object if it changed. An unchanged status must not be written: each
/// write raises the revision, which would wake every loop that watches the object, this one
/// included.
public final class WorkloadStatusWriter {
  private WorkloadStatusWriter() {}

  /// A conflict means that the cache was stale; the loop retries.
  public static void write(
      ResourceClient<ObjectNode> resources, ObjectNode object, ObjectNode status) {
    if (!isSame(status, object.path("status"))) {
      ObjectNode next = object.deepCopy();
      next.set("status", status);
      try {
        resources.update(next, "status");
      } catch (ApiException e) {
        // The object was deleted; the cache will show it.
        if (!e.isObjectNotFound()) {
          throw e;
        }
      }
    }
  }

  /// Puts a number; zero is omitted, as the server does.
  public static void count(ObjectNode status, String field, long number) {
    if (number > 0) {
      status.put(field, number);
    }
  }

  /// Compares numbers by value; a missing number equals zero.
  static boolean isSame(JsonNode one, JsonNode other) {
    return includes(one, other) && includes(other, one);
  }

  private static boolean includes(JsonNode all, JsonNode part) {
    return part.propertyStream()
        .allMatch(
            entry -> {
              JsonNode value = entry.getValue();
              JsonNode found = all.path(entry.getKey());
              return value.isNumber()
                  ? value.asLong() == found.asLong(0)
                  : value.equals(found) || (value.isEmpty() && found.isMissingNode());
            });
  }
}
