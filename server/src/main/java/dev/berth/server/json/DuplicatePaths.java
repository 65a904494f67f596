package dev.berth.server.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The paths of fields that a document gives more than once; when they are long or many, the first
/// of them.
final class DuplicatePaths {
  /// Nobody reads more, and a path may be as long as its document.
  private static final int MAX_CHARACTERS = 1 << 20;

  private final List<String> paths = new ArrayList<>();
  private int characters;

  void add(Supplier<String> path) {
    if (characters < MAX_CHARACTERS) {
      String made = path.get();
      characters += made.length() + 1;
      paths.add(made);
    }
  }

  List<String> all() {
    return paths;
  }
}
