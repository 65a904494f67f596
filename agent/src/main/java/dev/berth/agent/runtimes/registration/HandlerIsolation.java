package dev.berth.agent.runtimes.registration;

import java.util.Optional;

/// How a handler of Windows keeps its pods apart from the node.
public enum HandlerIsolation {
  /// Neither the runtime's options nor the registration say so; it counts as `PROCESS`.
  UNKNOWN,
  /// Containers share the kernel of the node.
  PROCESS,
  /// A pod has a kernel of its own, in a virtual machine.
  HYPERV;

  /// As in a registration: `process` or `hyperv`.
  public static Optional<HandlerIsolation> of(String word) {
    return switch (word) {
      case "process" -> Optional.of(PROCESS);
      case "hyperv" -> Optional.of(HYPERV);
      default -> Optional.empty();
    };
  }

  /// The word of the registration; empty when it is not known.
  public String word() {
    return switch (this) {
      case UNKNOWN -> "";
      case PROCESS -> "process";
      case HYPERV -> "hyperv";
    };
  }
}
