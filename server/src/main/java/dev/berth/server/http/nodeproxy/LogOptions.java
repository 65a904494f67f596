package dev.berth.server.http.nodeproxy;

import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.OptionalLong;

/// Validates the options of a log request before the pod and its node are looked up.
///
/// The texts and their order are upstream's. The node checks the options once more, but its errors
/// would come after the lookup of the pod and without the form of a `Status`.
final class LogOptions {
  private static final ApiException.Resource KIND =
      new ApiException.Resource("", "podlogoptions", "PodLogOptions");
  private static final String POSITIVE = "must be greater than 0";

  private LogOptions() {}

  /// @param pod the pod's name, for the error
  static void check(String pod, RequestQuery query) {
    OptionalLong lines = number(query, "tailLines");
    OptionalLong bytes = number(query, "limitBytes");
    OptionalLong seconds = number(query, "sinceSeconds");
    checkTime(query);
    FieldErrors errors = new FieldErrors();
    if (lines.isPresent() && lines.getAsLong() < 0) {
      errors.invalid(
          FieldPath.of("tailLines"), lines.getAsLong(), "must be greater than or equal to 0");
    }
    checkPositive("limitBytes", bytes, errors);
    if (seconds.isPresent() && query.has("sinceTime")) {
      errors.forbidden(
          FieldPath.ROOT, "at most one of `sinceTime` or `sinceSeconds` may be specified");
    } else {
      checkPositive("sinceSeconds", seconds, errors);
    }
    if (query.has("stream")) {
      // Selecting one stream needs upstream's feature gate PodLogsQuerySplitStreams, which is off
      // by default.
      errors.forbidden(FieldPath.of("stream"), "may not be specified");
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid(KIND, pod, errors.toList());
    }
  }

  private static OptionalLong number(RequestQuery query, String name) {
    return query.has(name)
        ? OptionalLong.of(RequestQuery.number(query.first(name)))
        : OptionalLong.empty();
  }

  private static void checkPositive(String name, OptionalLong number, FieldErrors errors) {
    if (number.isPresent() && number.getAsLong() < 1) {
      errors.invalid(FieldPath.of(name), number.getAsLong(), POSITIVE);
    }
  }

  private static void checkTime(RequestQuery query) {
    String time = query.first("sinceTime");
    try {
      if (!time.isEmpty()) {
        OffsetDateTime.parse(time);
      }
    } catch (DateTimeException e) {
      throw ApiException.badRequest(
          "parsing time \"%s\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"%s\" as \"2006\""
              .formatted(time, time));
    }
  }
}
