package dev.berth.sim.registry;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `WWW-Authenticate` header: how a registry wants to be asked.
///
/// @param scheme in lower case
record AuthChallenge(String scheme, Map<String, String> values) {
  private static final Pattern VALUE =
      Pattern.compile("([a-zA-Z0-9_-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^\\s,\"]+))");

  AuthChallenge {
    values = Map.copyOf(values);
  }

  static AuthChallenge parse(String header) {
    String[] parts = header.strip().split("\\s+", 2);
    Map<String, String> values = new HashMap<>();
    Matcher matcher = VALUE.matcher(parts.length == 2 ? parts[1] : "");
    while (matcher.find()) {
      String quoted = matcher.group(2);
      values.put(
          matcher.group(1).toLowerCase(Locale.ROOT),
          quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
    }
    return new AuthChallenge(parts[0].toLowerCase(Locale.ROOT), values);
  }

  /// Empty when it is not there.
  String value(String key) {
    return values.getOrDefault(key, "");
  }
}
