package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Part;
import dev.berth.sim.shell.ScriptNode.Redirect;
import dev.berth.sim.shell.ScriptNode.Word;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The letters of a script, read word by word: quotes, variables, substitutions.
final class WordReader {
  private static final String OPERATORS = ";&|\n()";

  private final String text;
  private int at;

  WordReader(String text) {
    this.text = text;
  }

  boolean atEnd() {
    return at >= text.length();
  }

  boolean atBlank() {
    return atEnd() || Character.isWhitespace(text.charAt(at)) || atOperator();
  }

  boolean atOperator() {
    return !atEnd() && OPERATORS.indexOf(text.charAt(at)) >= 0;
  }

  boolean atSeparator() {
    skipBlanks();
    return !atEnd() && (text.charAt(at) == ';' || text.charAt(at) == '\n');
  }

  String rest() {
    return text.substring(Math.min(at, text.length()));
  }

  void skipBlanks() {
    while (!atEnd()) {
      char c = text.charAt(at);
      if (c == ' ' || c == '\t' || c == '\r') {
        at++;
      } else if (text.startsWith("\\\n", at)) {
        at += 2;
      } else if (c == '#' && (at == 0 || Character.isWhitespace(text.charAt(at - 1)))) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        return;
      }
    }
  }

  void skipSeparators() {
    while (atSeparator()) {
      at++;
    }
  }

  boolean take(String operator) {
    boolean there = text.startsWith(operator, at);
    at += there ? operator.length() : 0;
    return there;
  }

  /// `&` alone; `&&` is not one.
  boolean takeBackground() {
    skipBlanks();
    return text.startsWith("&", at) && !text.startsWith("&&", at) && take("&");
  }

  /// The plain letters up to the next blank or operator, without taking them; a bracket is a word.
  String peekWord() {
    skipBlanks();
    if (!atEnd() && "()".indexOf(text.charAt(at)) >= 0) {
      return text.substring(at, at + 1);
    }
    int end = at;
    while (end < text.length()
        && !Character.isWhitespace(text.charAt(end))
        && OPERATORS.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return text.substring(at, end);
  }

  void takeWord(String expected) {
    skipSeparators();
    if (expected.isEmpty() || !peekWord().equals(expected)) {
      throw new ScriptException("syntax error: '" + expected + "' expected near '" + rest() + "'");
    }
    at += expected.length();
  }

  /// The name of `name=...`, or null.
  @Nullable String peekAssignment() {
    int equals = text.indexOf('=', at);
    return equals > at ? text.substring(at, equals) : null;
  }

  void takeAssignment(String name) {
    at += name.length() + 1;
  }

  /// `>file`, `>>file`, `2>file`, `>&2`, or null when none is here.
  @Nullable Redirect redirect() {
    int stream = 1;
    int start = at;
    if (text.startsWith("1>", at) || text.startsWith("2>", at)) {
      stream = text.charAt(at) - '0';
      at++;
    }
    if (!take(">")) {
      at = start;
      if (text.startsWith("<", at)) {
        throw new ScriptException("syntax error near '" + rest() + "'");
      }
      return null;
    }
    boolean append = take(">");
    if (take("&")) {
      return new Redirect(
          stream, append, new Word(List.of(new Part.Text("&" + peekWordTaken(), true))));
    }
    skipBlanks();
    return new Redirect(stream, append, word());
  }

  private String peekWordTaken() {
    String word = peekWord();
    at += word.length();
    return word;
  }

  Word word() {
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    while (!atBlank() && text.charAt(at) != '>' && text.charAt(at) != '<') {
      char c = text.charAt(at);
      switch (c) {
        case '\'' -> {
          flush(plain, parts, false);
          int end = endOf('\'', at + 1);
          parts.add(new Part.Text(text.substring(at + 1, end), true));
          at = end + 1;
        }
        case '"' -> {
          flush(plain, parts, false);
          at++;
          doubleQuoted(parts);
        }
        case '\\' -> {
          flush(plain, parts, false);
          parts.add(new Part.Text(text.substring(at + 1, Math.min(at + 2, text.length())), true));
          at = Math.min(at + 2, text.length());
        }
        case '$' -> {
          flush(plain, parts, false);
          parts.add(expansion(false));
        }
        default -> {
          plain.append(c);
          at++;
        }
      }
    }
    flush(plain, parts, false);
    if (parts.isEmpty()) {
      throw new ScriptException("syntax error near '" + rest() + "'");
    }
    return new Word(List.copyOf(parts));
  }

  private void doubleQuoted(List<Part> parts) {
    StringBuilder plain = new StringBuilder();
    while (!atEnd() && text.charAt(at) != '"') {
      char c = text.charAt(at);
      if (c == '\\' && at + 1 < text.length() && "\"\\$`".indexOf(text.charAt(at + 1)) >= 0) {
        plain.append(text.charAt(at + 1));
        at += 2;
      } else if (c == '$') {
        flush(plain, parts, true);
        parts.add(expansion(true));
      } else {
        plain.append(c);
        at++;
      }
    }
    if (atEnd()) {
      throw new ScriptException("syntax error: unterminated quoted string");
    }
    at++;
    parts.add(new Part.Text(plain.toString(), true));
  }

  private Part expansion(boolean quoted) {
    at++;
    if (take("((")) {
      int end = text.indexOf("))", at);
      String expression = text.substring(at, end < 0 ? fail() : end);
      at = end + 2;
      return new Part.Sum(expression, quoted);
    }
    if (take("(")) {
      int end = closing(at);
      ScriptNode script = ScriptParser.parse(text.substring(at, end));
      at = end + 1;
      return new Part.Output(script, quoted);
    }
    if (take("{")) {
      int end = endOf('}', at);
      String name = text.substring(at, end);
      at = end + 1;
      return new Part.Variable(name, quoted);
    }
    int end = at;
    if (end < text.length() && "?$#@".indexOf(text.charAt(end)) >= 0) {
      end++;
    } else {
      while (end < text.length()
          && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
        end++;
      }
    }
    String name = text.substring(at, end);
    at = end;
    return name.isEmpty() ? new Part.Text("$", quoted) : new Part.Variable(name, quoted);
  }

  /// The bracket that ends a substitution, past quotes and inner brackets.
  private int closing(int from) {
    int depth = 1;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'') {
        i = endOf('\'', i + 1);
      } else if (c == '(') {
        depth++;
      } else if (c == ')' && --depth == 0) {
        return i;
      }
    }
    return fail();
  }

  private int endOf(char quote, int from) {
    int end = text.indexOf(quote, from);
    return end < 0 ? fail() : end;
  }

  private static int fail() {
    throw new ScriptException("syntax error: unterminated quoted string");
  }

  private static void flush(StringBuilder plain, List<Part> parts, boolean quoted) {
    if (!plain.isEmpty()) {
      parts.add(new Part.Text(plain.toString(), quoted));
      plain.setLength(0);
    }
  }
}
