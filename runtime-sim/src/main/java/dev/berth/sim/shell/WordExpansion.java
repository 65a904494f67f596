package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Part;
import dev.berth.sim.shell.ScriptNode.Word;
import java.util.ArrayList;
import java.util.List;

/// Expands words: variables, the output of scripts, sums; unquoted results are split at blanks.
final class WordExpansion {
  private final SimShell shell;

  WordExpansion(SimShell shell) {
    this.shell = shell;
  }

  List<String> expand(List<Word> words) {
    List<String> fields = new ArrayList<>();
    words.forEach(word -> expand(word, fields));
    return fields;
  }

  /// One field, whatever is in it.
  String join(Word word) {
    StringBuilder text = new StringBuilder();
    word.parts().forEach(part -> text.append(value(part)));
    return text.toString();
  }

  private void expand(Word word, List<String> fields) {
    StringBuilder field = new StringBuilder();
    boolean open = false;
    for (Part part : word.parts()) {
      String value = value(part);
      if (part.quoted() || part instanceof Part.Text) {
        field.append(value);
        open = true;
        continue;
      }
      String[] pieces = value.strip().split("\\s+", -1);
      for (int i = 0; i < pieces.length; i++) {
        if (i > 0) {
          fields.add(field.toString());
          field.setLength(0);
        }
        field.append(pieces[i]);
        open |= !pieces[i].isEmpty();
      }
    }
    if (open) {
      fields.add(field.toString());
    }
  }

  private String value(Part part) {
    return switch (part) {
      case Part.Text(var text, _) -> text;
      case Part.Variable(var name, _) -> variable(name);
      case Part.Output(var script, _) -> shell.outputOf(script);
      case Part.Sum(var expression, _) -> Long.toString(sum(expression));
    };
  }

  /// `name`, or `name:-instead`.
  private String variable(String name) {
    int dash = name.indexOf(":-");
    if (dash < 0) {
      return shell.variable(name);
    }
    String value = shell.variable(name.substring(0, dash));
    return value.isEmpty() ? name.substring(dash + 2) : value;
  }

  /// Whole numbers and variables with + - * / %, from left to right.
  private long sum(String expression) {
    long result = 0;
    char operator = '+';
    StringBuilder operand = new StringBuilder();
    for (char c : (expression + "+").toCharArray()) {
      if ("+-*/%".indexOf(c) >= 0 && !operand.toString().isBlank()) {
        result = apply(result, operator, number(operand.toString().strip()));
        operator = c;
        operand.setLength(0);
      } else {
        operand.append(c);
      }
    }
    return result;
  }

  private static long apply(long left, char operator, long right) {
    return switch (operator) {
      case '+' -> left + right;
      case '-' -> left - right;
      case '*' -> left * right;
      case '/' -> right == 0 ? 0 : left / right;
      default -> right == 0 ? 0 : left % right;
    };
  }

  private long number(String operand) {
    String name = operand.startsWith("$") ? operand.substring(1) : operand;
    String value =
        Character.isLetter(name.charAt(0)) || name.charAt(0) == '_' ? shell.variable(name) : name;
    try {
      return Long.parseLong(value.strip());
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
