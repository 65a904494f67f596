package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// The body of a PATCH and its patch type.
///
/// @param duplicates paths of duplicate fields
public record PatchBody(Type type, JsonNode patch, List<String> duplicates) {
  /// The media types of patches.
  public enum Type {
    JSON("application/json-patch+json"),
    MERGE("application/merge-patch+json"),
    STRATEGIC("application/strategic-merge-patch+json"),
    APPLY("application/apply-patch+yaml");

    private final String mediaType;

    Type(String mediaType) {
      this.mediaType = mediaType;
    }

    public String mediaType() {
      return mediaType;
    }
  }
}
