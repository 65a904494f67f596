package dev.berth.server.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Collects the paths of duplicate fields in a document, up to a limit.
final class DuplicatePaths {
  /// Bounds the memory: a single path may be as long as its document.
  private static final int MAX_CHARACTERS = 1 << 20;

  private final List<String> paths = new ArrayList<>();
  private int characters;

  /// The path is only made while there is room, so a hostile document with long paths costs no more
  /// than the limit.
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
