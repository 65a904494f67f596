package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;

/// What the answers to all reviews share.
public final class ReviewAnswers {
  private ReviewAnswers() {}

  /// As sent, with the time of creation that an object has which is never stored: none.
  public static ObjectNode metadata(ObjectNode review) {
    ObjectNode metadata = JsonTrees.object();
    if (review.path("metadata") instanceof ObjectNode sent) {
      metadata.setAll(sent);
    }
    if (!metadata.has("creationTimestamp")) {
      metadata.putNull("creationTimestamp");
    }
    return metadata;
  }
}
