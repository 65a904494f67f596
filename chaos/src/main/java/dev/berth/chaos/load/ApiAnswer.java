package dev.berth.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/// The result of a request.
///
/// @param status the HTTP status; 0 without an answer
/// @param body a missing node without an answer, and when the answer is not JSON
/// @param reason why there is no answer
public record ApiAnswer(int status, JsonNode body, String reason) {
  static ApiAnswer none(String reason) {
    return new ApiAnswer(0, MissingNode.getInstance(), reason);
  }

  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /// Whether the server refused the request. Any other failure leaves open whether the server
  /// acted.
  public boolean isRefusal() {
    return status >= 400 && status < 500;
  }

  /// Whether the failure does not concern the request itself: the server is busy, or does not know
  /// the client because its clock is wrong.
  boolean isUnrelated() {
    return status == 401 || status == 403 || status == 429;
  }

  long revision() {
    return body.path("metadata").path("resourceVersion").asLong();
  }

  @Override
  public String toString() {
    return status == 0 ? "no answer: " + reason : status + " " + body.path("message").asText();
  }
}
