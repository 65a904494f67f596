package dev.berth.agent.runtimes.registration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A runtime service as an administrator declared it, not yet validated.
///
/// @param where the flag's part, the list's entry or the file, for messages
/// @param image null when the runtime service holds its own images
/// @param legacy whether it was declared as a bare URL, without type and name
record DeclaredService(
    String where,
    String workloadType,
    String name,
    String endpoint,
    @Nullable Image image,
    List<ServiceHandler> handlers,
    boolean legacy) {
  DeclaredService {
    handlers = List.copyOf(handlers);
  }

  /// The image endpoint of a service, and where it was declared.
  record Image(String where, String endpoint) {}
}
