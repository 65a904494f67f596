package dev.berth.vm.network;

/// What a program left when it ended.
record ProgramOutput(int exitCode, String output, String errors) {
  boolean succeeded() {
    return exitCode == 0;
  }

  /// What it said about a failure, as one line.
  String complaint() {
    String text = errors.isBlank() ? output : errors;
    String line = String.join(" / ", text.strip().lines().map(String::strip).toList());
    return line.isEmpty() ? "exit code " + exitCode : line;
  }
}
