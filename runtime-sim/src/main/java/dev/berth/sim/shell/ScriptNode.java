package dev.berth.sim.shell;

import java.util.List;

/// A parsed script.
sealed interface ScriptNode {
  /// `name=value... word... >file...`
  record Simple(List<Assignment> assignments, List<Word> words, List<Redirect> redirects)
      implements ScriptNode {}

  /// One after the other.
  record Sequence(List<ScriptNode> nodes) implements ScriptNode {}

  /// `first && second`, `first || second`.
  record Chain(ScriptNode first, boolean onSuccess, ScriptNode second) implements ScriptNode {}

  /// `while` and, turned round, `until`.
  record Loop(ScriptNode condition, boolean until, ScriptNode body) implements ScriptNode {}

  /// `for variable in words`.
  record Each(String variable, List<Word> words, ScriptNode body) implements ScriptNode {}

  /// `if`.
  record Choice(ScriptNode condition, ScriptNode then, ScriptNode otherwise)
      implements ScriptNode {}

  /// `node &`
  record Background(ScriptNode node) implements ScriptNode {}

  /// `! node`
  record Negation(ScriptNode node) implements ScriptNode {}

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
    record Output(ScriptNode script, boolean quoted) implements Part {}

    /// `$((expression))`
    record Sum(String expression, boolean quoted) implements Part {}
  }
}
