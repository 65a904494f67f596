package dev.berth.agent.pods.config;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Expands `$(NAME)` in commands, arguments and values; `$$` is a literal `$`, and unknown names
/// stay as they are.
final class VariableExpansion {
  private VariableExpansion() {}

  static List<String> all(List<String> texts, Map<String, String> variables) {
    return texts.stream().map(text -> of(text, variables)).toList();
  }

  static String of(String text, Map<String, String> variables) {
    return of(text, name -> variables.getOrDefault(name, "$(" + name + ")"));
  }

  /// @param values the value of a name
  static String of(String text, UnaryOperator<String> values) {
    StringBuilder result = new StringBuilder();
    int position = 0;
    while (position < text.length()) {
      char c = text.charAt(position);
      char next = position + 1 < text.length() ? text.charAt(position + 1) : 0;
      int end = next == '(' ? text.indexOf(')', position) : -1;
      if (c == '$' && next == '$') {
        result.append('$');
        position += 2;
      } else if (c == '$' && end > 0) {
        result.append(values.apply(text.substring(position + 2, end)));
        position = end + 1;
      } else {
        result.append(c);
        position++;
      }
    }
    return result.toString();
  }
}
