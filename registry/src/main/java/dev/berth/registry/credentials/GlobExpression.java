package dev.berth.registry.credentials;

import java.util.regex.Pattern;

/// Translates the wildcards of Go's `filepath.Match` within one label: `*`, `?` and `[a-z]`.
final class GlobExpression {
  private GlobExpression() {}

  static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    int i = 0;
    while (i < glob.length()) {
      char c = glob.charAt(i);
      int end = c == '[' ? glob.indexOf(']', i + 1) : -1;
      if (c == '*') {
        regex.append("[^/]*");
      } else if (c == '?') {
        regex.append("[^/]");
      } else if (end > 0) {
        regex.append(set(glob.substring(i + 1, end)));
        i = end;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
      i++;
    }
    return regex.toString();
  }

  /// Only letters, digits and hyphens are names of hosts, so nothing else is let through.
  private static String set(String inner) {
    String plain = inner.replaceAll("[^a-z0-9-]", "");
    return "[" + (inner.startsWith("^") ? "^" : "") + plain + "]";
  }
}
