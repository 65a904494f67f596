package dev.berth.registry.transport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One challenge of a `WWW-Authenticate` header: how a registry wants to be asked.
///
/// @param scheme in lower case
record AuthChallenge(String scheme, Map<String, String> values) {
  /// A name with a value belongs to the challenge before it; a word without is a scheme.
  private static final Pattern PART =
      Pattern.compile(
          "([a-zA-Z0-9_-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]+))|([a-zA-Z0-9_-]+)");

  AuthChallenge {
    values = Map.copyOf(values);
  }

  /// Any number of headers, each with any number of challenges.
  static List<AuthChallenge> parseAll(List<String> headers) {
    List<AuthChallenge> all = new ArrayList<>();
    headers.forEach(header -> parse(header, all));
    return all;
  }

  private static void parse(String header, List<AuthChallenge> into) {
    String scheme = "";
    Map<String, String> values = new HashMap<>();
    Matcher matcher = PART.matcher(header);
    while (matcher.find()) {
      String next = matcher.group(4);
      if (next != null) {
        if (!scheme.isEmpty()) {
          into.add(new AuthChallenge(scheme, values));
        }
        scheme = next.toLowerCase(Locale.ROOT);
        values = new HashMap<>();
      } else {
        String quoted = matcher.group(2);
        values.put(
            matcher.group(1).toLowerCase(Locale.ROOT),
            quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
      }
    }
    if (!scheme.isEmpty()) {
      into.add(new AuthChallenge(scheme, values));
    }
  }

  /// Empty when it is not there.
  String value(String key) {
    return values.getOrDefault(key, "");
  }
}
