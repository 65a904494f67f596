package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.ResourceClient;

/// Writes the status of an object if it says something else than before.
public final class StatusWriter {
  private StatusWriter() {}

  /// A conflict means that the cache was behind; the loop tries again.
  public static void write(
      ResourceClient<ObjectNode> resources, ObjectNode object, ObjectNode status) {
    if (!isSame(status, object.path("status"))) {
      ObjectNode next = object.deepCopy();
      next.set("status", status);
      try {
        resources.update(next, "status");
      } catch (ApiException e) {
        // It is gone, and the cache will hear of it.
        if (!e.isObjectNotFound()) {
          throw e;
        }
      }
    }
  }

  /// Puts a number; one that is zero is left out, as the server does.
  public static void count(ObjectNode status, String field, long number) {
    if (number > 0) {
      status.put(field, number);
    }
  }

  /// Numbers count by their value, and one that is zero may also be missing.
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
