package dev.berth.registry.transport;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the status of an answer means that is no success.
final class StatusFailures {
  private static final int MOST_DIGITS = 6;

  private StatusFailures() {}

  /// @param who answered, such as `registry example.com`
  /// @param request for messages, such as `manifests/1`
  static TransportException of(HttpResponse<?> answer, String who, String request) {
    int status = answer.statusCode();
    String message = "%s answers %s to %s".formatted(who, text(status), request);
    @Nullable Duration after = retryAfter(answer).orElse(null);
    return switch (status) {
      case 401 -> failure(FailureKind.UNAUTHORIZED, message, status);
      case 403 -> failure(FailureKind.FORBIDDEN, message, status);
      case 404, 410 -> failure(FailureKind.NOT_FOUND, message, status);
      case 429 ->
          TransportException.ofStatus(
              FailureKind.RATE_LIMITED, message + asks(after), status, true, after);
      case 408, 500, 502, 503, 504 ->
          TransportException.ofStatus(
              FailureKind.SERVER_ERROR, message + asks(after), status, true, after);
      default ->
          failure(
              status >= 500 ? FailureKind.SERVER_ERROR : FailureKind.UNEXPECTED_ANSWER,
              message,
              status);
    };
  }

  private static TransportException failure(FailureKind kind, String message, int status) {
    return TransportException.ofStatus(kind, message, status, false, null);
  }

  private static String asks(@Nullable Duration after) {
    return after == null ? "" : " and asks to wait " + HttpExchanger.text(after);
  }

  /// In seconds; a date would need the wall clock, and back-off does without.
  private static Optional<Duration> retryAfter(HttpResponse<?> answer) {
    return answer
        .headers()
        .firstValue("Retry-After")
        .map(String::strip)
        .filter(text -> text.length() <= MOST_DIGITS && text.matches("[0-9]+"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }

  /// With the reason phrase.
  static String text(int status) {
    String reason =
        switch (status) {
          case 400 -> " Bad Request";
          case 401 -> " Unauthorized";
          case 403 -> " Forbidden";
          case 404 -> " Not Found";
          case 405 -> " Method Not Allowed";
          case 408 -> " Request Timeout";
          case 429 -> " Too Many Requests";
          case 500 -> " Internal Server Error";
          case 502 -> " Bad Gateway";
          case 503 -> " Service Unavailable";
          case 504 -> " Gateway Timeout";
          default -> "";
        };
    return status + reason;
  }
}
