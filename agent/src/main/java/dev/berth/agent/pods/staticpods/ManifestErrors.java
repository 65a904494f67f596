package dev.berth.agent.pods.staticpods;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Describes a parse error in one line, with its position. Quotes of the parser and names of its
/// packages are left out.
final class ManifestErrors {
  /// A position in the parser's message; the last one is where parsing stopped.
  private static final Pattern PLACE = Pattern.compile("line (\\d+), column (\\d+)");

  private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");
  private static final Pattern TOKEN = Pattern.compile(" \\(token `[^`]*`\\)");

  private ManifestErrors() {}

  static String inOneLine(Exception e) {
    if (!(e instanceof JsonProcessingException wrong)) {
      return Objects.requireNonNullElse(e.getMessage(), e.toString())
          .lines()
          .findFirst()
          .orElse("");
    }
    String what =
        wrong
            .getOriginalMessage()
            .lines()
            .filter(line -> !line.startsWith(" "))
            .collect(Collectors.joining(", "));
    return TOKEN.matcher(PACKAGE.matcher(what).replaceAll("")).replaceAll("") + where(wrong);
  }

  private static String where(JsonProcessingException wrong) {
    if (wrong instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      return " (at %s)".formatted(path(mapping));
    }
    JsonLocation place = wrong.getLocation();
    return PLACE
        .matcher(wrong.getOriginalMessage())
        .results()
        .reduce((_, last) -> last)
        .map(MatchResult::group)
        .or(
            () ->
                Optional.ofNullable(place)
                    .map(one -> "line %d, column %d".formatted(one.getLineNr(), one.getColumnNr())))
        .map(" (%s)"::formatted)
        .orElse("");
  }

  private static String path(JsonMappingException wrong) {
    return wrong.getPath().stream()
        .map(
            one ->
                one.getFieldName() == null
                    ? "[%d]".formatted(one.getIndex())
                    : "." + one.getFieldName())
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }
}
