package dev.berth.sim.shell;

import java.util.List;

/// A parsed script; immutable, so that a trap can run it at any time. Words keep their quotes;
/// `SimShell` expands them when it runs them.
sealed interface ScriptNode {
  /// `name=value... word... >file...`
  record Simple(List<String> words, List<Redirect> redirects) implements ScriptNode {}

  /// `first; second`
  record Sequence(List<ScriptNode> nodes) implements ScriptNode {}

  /// `first && second`, `first || second`
  record Chain(ScriptNode first, boolean onSuccess, ScriptNode second) implements ScriptNode {}

  /// `while condition; do body; done`
  record Loop(ScriptNode condition, ScriptNode body) implements ScriptNode {}

  /// Where output goes.
  ///
  /// @param stream 1 or 2
  /// @param target a word that names a file, or `&1`, `&2`
  record Redirect(int stream, boolean append, String target) {}
}
