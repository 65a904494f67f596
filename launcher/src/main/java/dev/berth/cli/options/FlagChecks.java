package dev.berth.cli.options;

import java.util.List;

/// A command that looks at its flags before it runs, so that every mistake is told in one go.
public interface FlagChecks {
  /// One sentence per mistake, each naming the flag, the value, and what would have been accepted.
  List<String> mistakes();
}
