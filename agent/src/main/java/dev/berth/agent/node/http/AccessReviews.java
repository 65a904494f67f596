package dev.berth.agent.node.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ClientException;
import java.nio.charset.StandardCharsets;

/// Questions that only the API server can answer.
final class AccessReviews {
  private static final String JSON = "application/json";

  private AccessReviews() {}

  /// The status of the answer.
  static JsonNode post(ApiClient client, String path, ObjectNode review) {
    try {
      byte[] body = review.toString().getBytes(StandardCharsets.UTF_8);
      return client.exchange(ApiRequest.of("POST", path, JSON, JSON, body)).path("status");
    } catch (ClientException e) {
      throw new HttpFailure(
          500, "the API server, which knows who may do this, was asked in vain: " + e.getMessage());
    }
  }
}
