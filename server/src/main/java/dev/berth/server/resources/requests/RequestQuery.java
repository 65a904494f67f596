package dev.berth.server.resources.requests;

import dev.berth.server.errors.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The query parameters of a request.
public final class RequestQuery {
  private final Map<String, List<String>> parameters = new HashMap<>();

  /// Parses the query of a URL.
  public static RequestQuery parse(@Nullable String text) {
    RequestQuery query = new RequestQuery();
    if (text != null) {
      for (String pair : text.split("&", -1)) {
        int equals = pair.indexOf('=');
        String name = decode(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
        query.parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      }
    }
    return query;
  }

  /// A malformed escape stays as it is; the option's own check rejects it if the option matters.
  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  /// The first value, "" when there is none.
  public String first(String name) {
    List<String> values = parameters.get(name);
    return values == null ? "" : values.getFirst();
  }

  /// Parses an integer, with Go's error message.
  public static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(text));
    }
  }

  public boolean has(String name) {
    return parameters.containsKey(name);
  }

  public List<String> all(String name) {
    return parameters.getOrDefault(name, List.of());
  }

  /// Parses a boolean: absent, `0`, `f` and `false` are false; `1`, `t`, `true` and the bare name
  /// are true.
  public boolean flag(String name) {
    return has(name)
        && switch (first(name)) {
          case "0", "f", "F", "false", "FALSE", "False" -> false;
          default -> true;
        };
  }
}
