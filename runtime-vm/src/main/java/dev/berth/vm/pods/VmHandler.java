package dev.berth.vm.pods;

import dev.berth.cri.serving.CallRefusal;
import java.util.Arrays;
import java.util.Optional;

/// The handlers of this runtime, as a RuntimeClass names them.
public enum VmHandler {
  /// A clone of a template, whose memory is shared with other clones until it is written.
  CLONE("vm"),
  /// A boot with memory of its own, for tenants who trust no other one.
  ISOLATED("vm-isolated");

  private final String handler;

  VmHandler(String handler) {
    this.handler = handler;
  }

  public String handler() {
    return handler;
  }

  public boolean sharesMemory() {
    return this == CLONE;
  }

  /// Finds a handler; the empty name is that of the default.
  public static Optional<VmHandler> find(String name) {
    return name.isEmpty()
        ? Optional.of(CLONE)
        : Arrays.stream(values()).filter(one -> one.handler.equals(name)).findFirst();
  }

  /// Finds a handler.
  ///
  /// @throws CallRefusal in containerd's words
  public static VmHandler require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                CallRefusal.unknown(
                    "failed to get sandbox runtime: no runtime for \"%s\" is configured"
                        .formatted(name)));
  }
}
