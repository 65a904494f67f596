package dev.berth.launch.agent;

import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import java.io.IOException;
import java.util.List;

/// The runtime services that were registered with `berth runtimes add`, which an agent uses in
/// addition to those of its flags and its configuration file.
final class AddedServices {
  private AddedServices() {}

  /// A description for the greeting; empty when no service was registered.
  static String words(AgentConfig config) throws IOException {
    if (config.access().givenOnly()) {
      return "";
    }
    Places places = Places.below(config.dataDir().resolve("agent"));
    List<String> names = places.added().stream().map(RuntimeDeclaration::toString).toList();
    return names.isEmpty()
        ? ""
        : ", and with %s, registered in %s".formatted(String.join(", ", names), places.dropIns());
  }
}
