package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns the text of a script into nodes: lists, `&&`, `||`, `while` and redirections.
///
/// What the parser does not know it refuses by name, so that no script runs half understood.
final class ScriptParser {
  /// A variable, as in `$name`, `${name}` or `$?`; or a dollar sign that stands for itself.
  private static final String DOLLAR = "\\$(?:\\w++|\\?|\\{\\w++}|(?=[\\s\"]|$))";

  private static final Pattern BLANKS = Pattern.compile("(?:[ \\t\\r]|(?<!\\S)#.*+)*+");
  private static final Pattern OPERATOR = Pattern.compile("[;\\n]|&&|\\|\\||[12]?>>?(?:&[12])?");

  /// Words are read piece by piece: one pattern for a whole word would recurse over its pieces.
  private static final Pattern PIECE =
      Pattern.compile(
          "[^\\s'\"\\\\;&|<>()`$]++|\\\\.|'[^']*+'|\"(?:[^\"\\\\`$]++|\\\\.|%1$s)*+\"|%1$s"
              .formatted(DOLLAR),
          Pattern.DOTALL);

  private static final Set<String> ENDS = Set.of("do", "done");

  /// Words of the shell's grammar that would otherwise run as unknown commands.
  private static final Set<String> NOT_SIMULATED =
      Set.of(
          "if",
          "then",
          "else",
          "elif",
          "fi",
          "for",
          "until",
          "case",
          "esac",
          "function",
          "{",
          "}",
          "!");

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  private ScriptParser(String text) {
    // Joins lines that end with a backslash.
    this.text = text.replace("\\\n", "");
    readTokens();
  }

  /// @throws ScriptException when the script has something that is not simulated
  static ScriptNode parse(String text) {
    ScriptParser parser = new ScriptParser(text);
    ScriptNode node = parser.list();
    if (parser.next < parser.tokens.size()) {
      throw new ScriptException(parser.peek());
    }
    return node;
  }

  private void readTokens() {
    int at = 0;
    while (true) {
      at = end(BLANKS, at);
      if (at == text.length()) {
        return;
      }
      int start = at;
      at = end(OPERATOR, start);
      if (at == start) {
        at = endOfWord(start);
      }
      tokens.add(text.substring(start, at));
    }
  }

  private int endOfWord(int start) {
    int at = start;
    for (int end = end(PIECE, at); end > at; end = end(PIECE, at)) {
      at = end;
    }
    if (at == start || isQuoteLeft(at)) {
      throw new ScriptException(text.substring(at).lines().findFirst().orElse(""));
    }
    return at;
  }

  /// Whether a word ends at something that belongs to it and is not understood.
  private boolean isQuoteLeft(int at) {
    return at < text.length() && "'\"\\`$".indexOf(text.charAt(at)) >= 0;
  }

  /// The end of a match that begins at a position, or that position without one.
  private int end(Pattern pattern, int from) {
    Matcher matcher = pattern.matcher(text).region(from, text.length());
    // Lets the patterns see the character before the region.
    matcher.useTransparentBounds(true).useAnchoringBounds(false);
    return matcher.lookingAt() ? matcher.end() : from;
  }

  /// Reads commands up to the end, or up to a word that ends a loop.
  private ScriptNode list() {
    List<ScriptNode> nodes = new ArrayList<>();
    skipSeparators();
    while (next < tokens.size() && !ENDS.contains(peek())) {
      nodes.add(chain());
      if (next < tokens.size() && !isSeparator()) {
        throw new ScriptException(peek());
      }
      skipSeparators();
    }
    return new ScriptNode.Sequence(List.copyOf(nodes));
  }

  /// Reads commands that `&&` and `||` join; both have the same precedence and group from the left.
  private ScriptNode chain() {
    ScriptNode node = command();
    while (peek().equals("&&") || peek().equals("||")) {
      boolean onSuccess = tokens.get(next++).equals("&&");
      skipSeparators();
      node = new ScriptNode.Chain(node, onSuccess, command());
    }
    return node;
  }

  private ScriptNode command() {
    if (NOT_SIMULATED.contains(peek())) {
      throw new ScriptException(peek());
    }
    if (!peek().equals("while")) {
      return simple();
    }
    expect("while");
    ScriptNode condition = list();
    expect("do");
    ScriptNode body = list();
    expect("done");
    return new ScriptNode.Loop(condition, body);
  }

  private ScriptNode simple() {
    List<String> words = new ArrayList<>();
    List<Redirect> redirects = new ArrayList<>();
    int start = next;
    while (next < tokens.size() && !isSeparator() && !isChain()) {
      String token = tokens.get(next++);
      int arrow = token.indexOf('>');
      if (!OPERATOR.matcher(token).matches()) {
        words.add(token);
      } else {
        boolean joins = token.contains("&");
        String target = joins ? token.substring(token.indexOf('&')) : tokenAfter(token);
        redirects.add(
            new Redirect(token.startsWith("2") ? 2 : 1, token.startsWith(">>", arrow), target));
      }
    }
    if (next == start) {
      throw new ScriptException(peek());
    }
    return new ScriptNode.Simple(List.copyOf(words), List.copyOf(redirects));
  }

  private String tokenAfter(String redirect) {
    if (next == tokens.size() || OPERATOR.matcher(peek()).matches()) {
      throw new ScriptException(redirect);
    }
    return tokens.get(next++);
  }

  private void expect(String token) {
    if (!peek().equals(token)) {
      throw new ScriptException(peek());
    }
    next++;
  }

  private void skipSeparators() {
    while (isSeparator()) {
      next++;
    }
  }

  private boolean isSeparator() {
    return peek().equals(";") || peek().equals("\n");
  }

  private boolean isChain() {
    return peek().equals("&&") || peek().equals("||");
  }

  /// The next token, which stays; empty at the end of the script.
  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }
}
