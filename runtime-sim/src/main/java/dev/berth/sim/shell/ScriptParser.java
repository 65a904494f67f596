package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Assignment;
import dev.berth.sim.shell.ScriptNode.Redirect;
import dev.berth.sim.shell.ScriptNode.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Turns the text of a script into nodes: lists, `&&`, `||`, loops, conditions, redirections.
///
/// Pipes, functions, `case` and here-documents are not understood.
final class ScriptParser {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Set<String> ENDS = Set.of("do", "done", "then", "else", "fi", "}", ")");

  private final WordReader reader;

  private ScriptParser(String text) {
    this.reader = new WordReader(text);
  }

  static ScriptNode parse(String text) throws ScriptException {
    ScriptParser parser = new ScriptParser(text);
    ScriptNode node = parser.list();
    if (!parser.reader.atEnd()) {
      throw new ScriptException("syntax error near '" + parser.reader.rest() + "'");
    }
    return node;
  }

  private ScriptNode list() {
    List<ScriptNode> nodes = new ArrayList<>();
    while (true) {
      reader.skipSeparators();
      if (reader.atEnd() || ENDS.contains(reader.peekWord())) {
        return nodes.size() == 1 ? nodes.getFirst() : new ScriptNode.Sequence(List.copyOf(nodes));
      }
      ScriptNode node = chain();
      nodes.add(reader.takeBackground() ? new ScriptNode.Background(node) : node);
      if (!reader.atSeparator()
          && !reader.atEnd()
          && !ENDS.contains(reader.peekWord())
          && !(nodes.getLast() instanceof ScriptNode.Background)) {
        throw new ScriptException("syntax error near '" + reader.rest() + "'");
      }
    }
  }

  private ScriptNode chain() {
    ScriptNode node = command();
    while (true) {
      reader.skipBlanks();
      if (reader.take("&&")) {
        reader.skipSeparators();
        node = new ScriptNode.Chain(node, true, command());
      } else if (reader.take("||")) {
        reader.skipSeparators();
        node = new ScriptNode.Chain(node, false, command());
      } else {
        return node;
      }
    }
  }

  private ScriptNode command() {
    reader.skipBlanks();
    return switch (reader.peekWord()) {
      case "!" -> {
        reader.takeWord("!");
        yield new ScriptNode.Negation(command());
      }
      case "while", "until" -> loop();
      case "for" -> each();
      case "if" -> choice();
      case "{" -> group("{", "}");
      case "(" -> group("(", ")");
      default -> simple();
    };
  }

  private ScriptNode loop() {
    boolean until = reader.peekWord().equals("until");
    reader.takeWord(until ? "until" : "while");
    ScriptNode condition = list();
    reader.takeWord("do");
    ScriptNode body = list();
    reader.takeWord("done");
    return new ScriptNode.Loop(condition, until, body);
  }

  private ScriptNode each() {
    reader.takeWord("for");
    reader.skipBlanks();
    String variable = reader.peekWord();
    reader.takeWord(variable);
    reader.takeWord("in");
    List<Word> words = new ArrayList<>();
    reader.skipBlanks();
    while (!reader.atSeparator() && !reader.atEnd()) {
      words.add(reader.word());
      reader.skipBlanks();
    }
    reader.skipSeparators();
    reader.takeWord("do");
    ScriptNode body = list();
    reader.takeWord("done");
    return new ScriptNode.Each(variable, words, body);
  }

  private ScriptNode choice() {
    reader.takeWord("if");
    ScriptNode condition = list();
    reader.takeWord("then");
    ScriptNode then = list();
    ScriptNode otherwise = new ScriptNode.Sequence(List.of());
    if (reader.peekWord().equals("else")) {
      reader.takeWord("else");
      otherwise = list();
    }
    reader.takeWord("fi");
    return new ScriptNode.Choice(condition, then, otherwise);
  }

  private ScriptNode group(String open, String close) {
    reader.takeWord(open);
    ScriptNode node = list();
    reader.takeWord(close);
    return node;
  }

  private ScriptNode simple() {
    List<Assignment> assignments = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    List<Redirect> redirects = new ArrayList<>();
    while (true) {
      reader.skipBlanks();
      if (reader.atEnd() || reader.atOperator()) {
        break;
      }
      Redirect redirect = reader.redirect();
      if (redirect != null) {
        redirects.add(redirect);
        continue;
      }
      String name = reader.peekAssignment();
      if (words.isEmpty() && name != null && NAME.matcher(name).matches()) {
        reader.takeAssignment(name);
        assignments.add(
            new Assignment(name, reader.atBlank() ? new Word(List.of()) : reader.word()));
      } else {
        words.add(reader.word());
      }
    }
    if (assignments.isEmpty() && words.isEmpty() && redirects.isEmpty()) {
      throw new ScriptException("syntax error near '" + reader.rest() + "'");
    }
    return new ScriptNode.Simple(assignments, words, redirects);
  }
}
