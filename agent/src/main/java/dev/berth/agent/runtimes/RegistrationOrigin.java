package dev.berth.agent.runtimes;

import java.nio.file.Path;

/// Where a runtime service was registered.
public sealed interface RegistrationOrigin {
  /// The agent's flags or configuration: registered as long as the agent runs.
  record Configured() implements RegistrationOrigin {
    @Override
    public String toString() {
      return "configuration";
    }
  }

  /// A file of the watched directory.
  record DropIn(Path file) implements RegistrationOrigin {
    @Override
    public String toString() {
      return file.toString();
    }
  }
}
