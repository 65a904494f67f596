package dev.berth.agent.runtimes.health;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import java.util.ArrayList;
import java.util.List;

/// The table of runtimes in the configuration that containerd shows when it is asked to be verbose.
///
/// @param containerd the section of that name; a missing node when the runtime shows none
record RuntimeOptions(JsonNode containerd) {
  /// The option of the shim for Windows; 0 is process isolation, 1 is Hyper-V.
  private static final String ISOLATION = "SandboxIsolation";

  List<ServiceHandler> handlers() {
    List<ServiceHandler> handlers = new ArrayList<>();
    containerd
        .path("runtimes")
        .fieldNames()
        .forEachRemaining(name -> handlers.add(ServiceHandler.named(name).with(isolation(name))));
    // Every service has a handler without a name; it is worth mention where it isolates.
    if (!handlers.isEmpty() && isolation("") == HandlerIsolation.HYPERV) {
      handlers.add(ServiceHandler.named("").with(HandlerIsolation.HYPERV));
    }
    return handlers;
  }

  /// @param handler empty for the default one
  HandlerIsolation isolation(String handler) {
    String name = handler.isEmpty() ? containerd.path("defaultRuntimeName").asText() : handler;
    JsonNode option = containerd.path("runtimes").path(name).path("options").path(ISOLATION);
    return switch (option.asText()) {
      case "1" -> HandlerIsolation.HYPERV;
      case "0" -> HandlerIsolation.PROCESS;
      default -> HandlerIsolation.UNKNOWN;
    };
  }
}
