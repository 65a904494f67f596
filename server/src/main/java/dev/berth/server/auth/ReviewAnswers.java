package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;

/// Builds the parts that the answers to all reviews share.
public final class ReviewAnswers {
  private ReviewAnswers() {}

  /// The metadata as sent, with a null creationTimestamp: a review is never stored.
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
