package dev.berth.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The `Status` with which the server refused a request.
public final class ApiException extends ClientException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String reason;
  private final transient JsonNode status;

  public ApiException(int code, String reason, String message, JsonNode status) {
    super(message, null);
    this.code = code;
    this.reason = reason;
    this.status = status;
  }

  static ApiException ofBody(int httpStatus, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).strip();
    try {
      JsonNode node = ClientJson.MAPPER.readTree(body);
      if (node.path("kind").asText().equals("Status")) {
        return ofStatus(httpStatus, node);
      }
    } catch (JsonProcessingException _) {
      // A proxy or the router answered with plain text; the text itself is the message.
    } catch (java.io.IOException e) {
      throw new IllegalStateException("reading bytes in memory cannot fail", e);
    }
    String message = text.isEmpty() ? "the server answered " + httpStatus : text;
    return new ApiException(httpStatus, "", message, ClientJson.MAPPER.nullNode());
  }

  static ApiException ofStatus(int httpStatus, JsonNode status) {
    return new ApiException(
        status.path("code").asInt(httpStatus),
        status.path("reason").asText(),
        status.path("message").asText(),
        status);
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  public boolean isNotFound() {
    return code == 404;
  }

  /// Whether the object is known to be absent; an unknown path does not count.
  ///
  /// An aggregated server that is not installed and a misspelled path give 404 as well, without the
  /// name of an object.
  public boolean isObjectNotFound() {
    return code == 404
        && status != null
        && reason.equals("NotFound")
        && !status.path("details").path("name").asText().isEmpty();
  }

  public boolean isConflict() {
    return code == 409 && reason.equals("Conflict");
  }

  public boolean isAlreadyExists() {
    return reason.equals("AlreadyExists");
  }

  /// Whether the server was overloaded or unavailable, so that the same request may succeed later.
  ///
  /// A client that sees it should wait, at least for `retryAfterSeconds`.
  public boolean isPassing() {
    return code == 429 || code >= 500;
  }

  /// Whether the requested revision is compacted or not reached yet; the client has to list again.
  ///
  /// A server that is behind answers 504 with the cause `ResourceVersionTooLarge`; another list
  /// without a revision helps then, too.
  public boolean isExpired() {
    return code == 410 || hasCause("ResourceVersionTooLarge");
  }

  public boolean hasCause(String causeReason) {
    return causes().anyMatch(cause -> cause.path("reason").asText().equals(causeReason));
  }

  /// The server's `Retry-After`, in seconds.
  public Optional<Integer> retryAfterSeconds() {
    int seconds = status == null ? 0 : status.path("details").path("retryAfterSeconds").asInt(0);
    return seconds > 0 ? Optional.of(seconds) : Optional.empty();
  }

  private Stream<JsonNode> causes() {
    return status == null
        ? Stream.empty()
        : StreamSupport.stream(status.path("details").path("causes").spliterator(), false);
  }
}
