package dev.berth.agent.runtimes.registration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One runtime service as an administrator wrote it, not yet checked.
///
/// @param where the flag's part, the list's entry or the file, for messages
/// @param image null when the runtime service holds its images itself
/// @param legacy written as a bare URL, without type and name
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

  /// Where the images of a service are, and where that was written.
  record Image(String where, String endpoint) {}
}
