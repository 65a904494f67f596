package dev.berth.sim.shell;

import java.util.List;

/// A parsed script.
sealed interface Node {
  /// `name=value... word... >file...`
  record Simple(List<Assignment> assignments, List<Word> words, List<Redirect> redirects)
      implements Node {}

  /// One after the other.
  record Sequence(List<Node> nodes) implements Node {}

  /// `first && second`, `first || second`.
  record Chain(Node first, boolean onSuccess, Node second) implements Node {}

  /// `while` and, turned round, `until`.
  record Loop(Node condition, boolean until, Node body) implements Node {}

  /// `for variable in words`.
  record Each(String variable, List<Word> words, Node body) implements Node {}

  /// `if`.
  record Choice(Node condition, Node then, Node otherwise) implements Node {}

  /// `node &`
  record Background(Node node) implements Node {}

  /// `! node`
  record Negation(Node node) implements Node {}

  record Assignment(String name, Word value) {}

  /// Where output goes.
  ///
  /// @param stream 1 or 2
  /// @param target a file, or `&1`, `&2`
  record Redirect(int stream, boolean append, Word target) {}

  /// Becomes one or more arguments.
  record Word(List<Part> parts) {}

  /// A piece of a word.
  sealed interface Part {
    boolean quoted();

    record Text(String text, boolean quoted) implements Part {}

    /// `$name`, `${name}`, `$?`
    record Variable(String name, boolean quoted) implements Part {}

    /// `$(script)`
    record Output(Node script, boolean quoted) implements Part {}

    /// `$((expression))`
    record Sum(String expression, boolean quoted) implements Part {}
  }
}
