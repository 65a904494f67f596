package dev.berth.vm.network;

import java.util.List;

/// Whose network is made, as plugins learn it.
///
/// @param portMappings only those with a host port; a plugin of the list must offer `portMappings`
public record PodIdentity(
    String sandboxId, String namespace, String name, String uid, List<PortMapping> portMappings) {
  public PodIdentity {
    portMappings = List.copyOf(portMappings);
  }
}
