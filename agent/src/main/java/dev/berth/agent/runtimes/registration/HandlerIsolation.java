package dev.berth.agent.runtimes.registration;

import java.util.Optional;

/// How a Windows handler isolates its pods from the node.
public enum HandlerIsolation {
  /// Neither the runtime's options nor the registration define it; it counts as `PROCESS`.
  UNKNOWN,
  /// Containers share the node's kernel.
  PROCESS,
  /// A pod runs in a virtual machine with a kernel of its own.
  HYPERV;

  /// Parses the word of a registration: `process` or `hyperv`.
  public static Optional<HandlerIsolation> of(String word) {
    return switch (word) {
      case "process" -> Optional.of(PROCESS);
      case "hyperv" -> Optional.of(HYPERV);
      default -> Optional.empty();
    };
  }

  /// The word of the registration; empty for `UNKNOWN`.
  public String word() {
    return switch (this) {
      case UNKNOWN -> "";
      case PROCESS -> "process";
      case HYPERV -> "hyperv";
    };
  }
}
