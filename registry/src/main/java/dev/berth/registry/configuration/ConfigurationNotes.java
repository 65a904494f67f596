package dev.berth.registry.configuration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What one reading of the configuration found out: its mistakes, and the files that it depends on.
record ConfigurationNotes(List<String> mistakes, Set<Path> files) {
  ConfigurationNotes() {
    this(new ArrayList<>(), new TreeSet<>());
  }

  void mistake(String sentence) {
    mistakes.add(sentence);
  }

  /// The file, also if it cannot be read: it may appear.
  Path used(Path file) {
    files.add(file);
    return file;
  }
}
