package dev.berth.cri.streaming;

/// Receives the output of a process. Calls come on the thread that reads the process, and a
/// receiver that blocks holds the process up, as a full pipe does.
@FunctionalInterface
public interface CommandOutput {
  /// Receives bytes of a stream. The receiver must not change them: others get the same array.
  ///
  /// @param stream 1 for standard output, 2 for standard error
  void write(int stream, byte[] bytes);
}
