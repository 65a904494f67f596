package dev.berth.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/// What became of a request.
///
/// @param status 0 when there was no answer
/// @param body missing when there was none, or no JSON
/// @param reason why there was no answer
public record ApiAnswer(int status, JsonNode body, String reason) {
  static ApiAnswer none(String reason) {
    return new ApiAnswer(0, MissingNode.getInstance(), reason);
  }

  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /// The server says that it did not do it. Any other failure leaves that open.
  public boolean isRefusal() {
    return status >= 400 && status < 500;
  }

  /// Not for what it asked: the server is busy, or does not know the client, as it may be while its
  /// clock is wrong.
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
