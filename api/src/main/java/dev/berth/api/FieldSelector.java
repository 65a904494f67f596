package dev.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// A conjunction of `field=value` and `field!=value`, as in
/// `spec.nodeName=n1,status.phase!=Failed`.
public record FieldSelector(List<Requirement> requirements) {
  public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  public record Requirement(String field, boolean equal, String value) {}

  public FieldSelector {
    requirements = List.copyOf(requirements);
  }

  public static FieldSelector parse(String text) throws SelectorSyntaxException {
    List<Requirement> requirements = new ArrayList<>();
    for (String term : splitTerms(text)) {
      if (!term.isEmpty()) {
        requirements.add(requirement(text, term));
      }
    }
    return requirements.isEmpty() ? EVERYTHING : new FieldSelector(requirements);
  }

  /// Splits at commas that no backslash precedes: a value may contain `,`, `=` and a backslash,
  /// each escaped by a backslash.
  private static List<String> splitTerms(String text) {
    List<String> terms = new ArrayList<>();
    StringBuilder term = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        term.append(c).append(text.charAt(++i));
      } else if (c == ',') {
        terms.add(term.toString());
        term.setLength(0);
      } else {
        term.append(c);
      }
    }
    terms.add(term.toString());
    return terms;
  }

  private static Requirement requirement(String selector, String term)
      throws SelectorSyntaxException {
    for (int i = 0; i < term.length(); i++) {
      if (term.startsWith("!=", i)) {
        return new Requirement(term.substring(0, i), false, unescape(term.substring(i + 2)));
      }
      if (term.charAt(i) == '=') {
        int value = term.startsWith("==", i) ? i + 2 : i + 1;
        return new Requirement(term.substring(0, i), true, unescape(term.substring(value)));
      }
    }
    throw new SelectorSyntaxException(
        "invalid selector: '%s'; can't understand '%s'".formatted(selector, term));
  }

  private static String unescape(String value) {
    return value.indexOf('\\') < 0 ? value : value.replaceAll("\\\\([\\\\,=])", "$1");
  }

  public boolean isEverything() {
    return requirements.isEmpty();
  }

  /// Whether an object matches, given a function that reads its fields.
  public boolean matches(UnaryOperator<String> field) {
    for (Requirement requirement : requirements) {
      if (field.apply(requirement.field()).equals(requirement.value()) != requirement.equal()) {
        return false;
      }
    }
    return true;
  }
}
