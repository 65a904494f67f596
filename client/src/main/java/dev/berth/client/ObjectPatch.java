package dev.berth.client;

import com.fasterxml.jackson.databind.JsonNode;

/// A change to an object in one of the API's patch languages.
///
/// @param parameters query parameters beginning with `?`, or empty
public record ObjectPatch(String contentType, String parameters, JsonNode body) {
  public static ObjectPatch json(JsonNode operations) {
    return new ObjectPatch("application/json-patch+json", "", operations);
  }

  public static ObjectPatch merge(JsonNode patch) {
    return new ObjectPatch("application/merge-patch+json", "", patch);
  }

  public static ObjectPatch strategic(JsonNode patch) {
    return new ObjectPatch("application/strategic-merge-patch+json", "", patch);
  }

  /// Server-side apply.
  public static ObjectPatch apply(JsonNode configuration, String fieldManager, boolean force) {
    String manager = "?fieldManager=" + ResourceType.encode(fieldManager);
    String parameters = manager + (force ? "&force=true" : "");
    return new ObjectPatch("application/apply-patch+yaml", parameters, configuration);
  }
}
