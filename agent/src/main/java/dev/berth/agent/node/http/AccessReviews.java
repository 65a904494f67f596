package dev.berth.agent.node.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ClientException;
import java.nio.charset.StandardCharsets;

/// Token and access reviews by the API server.
final class AccessReviews {
  private static final String JSON = "application/json";

  private AccessReviews() {}

  /// Posts a review.
  ///
  /// @return its status
  static JsonNode post(ApiClient client, String path, ObjectNode review) {
    try {
      byte[] body = review.toString().getBytes(StandardCharsets.UTF_8);
      return client.exchange(ApiRequest.of("POST", path, JSON, JSON, body)).path("status");
    } catch (ClientException e) {
      throw new HttpFailure(
          500, "the API server did not answer the access review: " + e.getMessage());
    }
  }
}
