package dev.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A conjunction of label requirements, as in `app=web,tier in (a, b),!legacy,size>3`.
public record LabelSelector(List<Requirement> requirements) {
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  /// The operator of a requirement.
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GREATER,
    LESS
  }

  public record Requirement(String key, Operator operator, Set<String> values) {
    public Requirement {
      values = Set.copyOf(values);
    }

    boolean matches(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        // Upstream's rule: an object without the label also matches `!=` and `notin`.
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case GREATER -> compare(value) > 0;
        case LESS -> compare(value) < 0;
      };
    }

    /// Returns 0 when the label is absent or no number: then neither `Gt` nor `Lt` matches.
    private int compare(@org.jspecify.annotations.Nullable String value) {
      try {
        return value == null
            ? 0
            : Long.compare(Long.parseLong(value), Long.parseLong(values.iterator().next()));
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }

  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  public static LabelSelector parse(String text) throws SelectorSyntaxException {
    return text.isBlank() ? EVERYTHING : new LabelSelector(new Parser(text).parse());
  }

  public boolean isEverything() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    for (Requirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  /// A recursive-descent parser; its messages are upstream's.
  private static final class Parser {
    private static final String SPECIAL = "()!,=<>";

    private final List<String> tokens;
    private int position;

    Parser(String text) {
      tokens = tokens(text);
    }

    private static List<String> tokens(String text) {
      List<String> tokens = new ArrayList<>();
      int i = 0;
      while (i < text.length()) {
        char c = text.charAt(i);
        if (Character.isWhitespace(c)) {
          i++;
        } else if (SPECIAL.indexOf(c) >= 0) {
          boolean pair =
              i + 1 < text.length() && (text.startsWith("==", i) || text.startsWith("!=", i));
          tokens.add(text.substring(i, i += pair ? 2 : 1));
        } else {
          int start = i;
          while (i < text.length()
              && SPECIAL.indexOf(text.charAt(i)) < 0
              && !Character.isWhitespace(text.charAt(i))) {
            i++;
          }
          tokens.add(text.substring(start, i));
        }
      }
      return tokens;
    }

    List<Requirement> parse() throws SelectorSyntaxException {
      List<Requirement> requirements = new ArrayList<>();
      while (true) {
        requirements.add(requirement());
        String next = next();
        if (next.isEmpty()) {
          return requirements;
        }
        if (!next.equals(",")) {
          throw unexpected(next, "',' or 'end of string'");
        }
        if (!isIdentifier(peek()) && !peek().equals("!")) {
          throw unexpected(peek(), "identifier after ','");
        }
      }
    }

    private Requirement requirement() throws SelectorSyntaxException {
      if (peek().equals("!")) {
        next();
        return new Requirement(key(), Operator.DOES_NOT_EXIST, Set.of());
      }
      String key = key();
      return switch (peek()) {
        case "", "," -> new Requirement(key, Operator.EXISTS, Set.of());
        default -> operation(key, next());
      };
    }

    private Requirement operation(String key, String operator) throws SelectorSyntaxException {
      return switch (operator) {
        case "=", "==" -> new Requirement(key, Operator.IN, Set.of(value()));
        case "!=" -> new Requirement(key, Operator.NOT_IN, Set.of(value()));
        case "in" -> new Requirement(key, Operator.IN, values());
        case "notin" -> new Requirement(key, Operator.NOT_IN, values());
        case ">" -> new Requirement(key, Operator.GREATER, Set.of(number(key)));
        case "<" -> new Requirement(key, Operator.LESS, Set.of(number(key)));
        default -> throw unexpected(operator, "in, notin, =, ==, !=, gt, lt");
      };
    }

    private String key() throws SelectorSyntaxException {
      String key = next();
      if (!isIdentifier(key)) {
        throw unexpected(key, "identifier");
      }
      return LabelRules.checkKey(key);
    }

    private String value() throws SelectorSyntaxException {
      // `a=` and `a in (,)` name the empty value, which labels may have.
      if (peek().isEmpty() || peek().equals(",")) {
        return "";
      }
      String value = next();
      if (!isIdentifier(value)) {
        throw unexpected(value, "identifier");
      }
      return LabelRules.checkValue(value);
    }

    private String number(String key) throws SelectorSyntaxException {
      String value = value();
      try {
        return Long.toString(Long.parseLong(value));
      } catch (NumberFormatException e) {
        throw new SelectorSyntaxException(
            "values[0][%s]: Invalid value: \"%s\": for 'Gt', 'Lt' operators, the value must be an integer"
                .formatted(key, value));
      }
    }

    private Set<String> values() throws SelectorSyntaxException {
      String open = next();
      if (!open.equals("(")) {
        throw unexpected(open, "'('");
      }
      Set<String> values = new TreeSet<>();
      while (true) {
        values.add(peek().equals(")") ? "" : value());
        String separator = next();
        if (separator.equals(")")) {
          return values;
        }
        if (!separator.equals(",")) {
          throw unexpected(separator, "',' or ')'");
        }
      }
    }

    private static boolean isIdentifier(String token) {
      return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
    }

    private String peek() {
      return position < tokens.size() ? tokens.get(position) : "";
    }

    private String next() {
      String token = peek();
      position++;
      return token;
    }

    private static SelectorSyntaxException unexpected(String found, String expected) {
      return new SelectorSyntaxException(
          "unable to parse requirement: found '%s', expected: %s".formatted(found, expected));
    }
  }
}
