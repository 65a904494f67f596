package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.registry.configuration.RegistryAccess;
import java.nio.file.Path;
import java.util.List;

/// The choice of runtime services on the command line of `berth up`.
///
/// @param named services that flags or the configuration file name; may be empty
/// @param source where services come from when none is named
/// @param dataDir the data directory of the node
/// @param registries how a private containerd reaches registries
public record RuntimeChoice(
    List<RuntimeDeclaration> named, RuntimeSource source, Path dataDir, RegistryAccess registries) {
  public RuntimeChoice {
    named = List.copyOf(named);
  }
}
