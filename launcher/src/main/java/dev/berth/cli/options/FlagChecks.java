package dev.berth.cli.options;

import java.util.List;

/// A command that checks its flags before it runs, so that one run reports every mistake.
public interface FlagChecks {
  /// One sentence per mistake, each naming the flag, the value, and what would have been accepted.
  List<String> mistakes();
}
