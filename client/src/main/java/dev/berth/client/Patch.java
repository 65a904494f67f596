package dev.berth.client;

import com.fasterxml.jackson.databind.JsonNode;

/// A change to an object in one of the API's patch languages.
///
/// @param parameters query parameters beginning with `?`, or empty
public record Patch(String contentType, String parameters, JsonNode body) {
  public static Patch json(JsonNode operations) {
    return new Patch("application/json-patch+json", "", operations);
  }

  public static Patch merge(JsonNode patch) {
    return new Patch("application/merge-patch+json", "", patch);
  }

  public static Patch strategic(JsonNode patch) {
    return new Patch("application/strategic-merge-patch+json", "", patch);
  }

  /// Server-side apply.
  public static Patch apply(JsonNode configuration, String fieldManager, boolean force) {
    String manager = "?fieldManager=" + ResourceType.encode(fieldManager);
    String parameters = manager + (force ? "&force=true" : "");
    return new Patch("application/apply-patch+yaml", parameters, configuration);
  }
}
