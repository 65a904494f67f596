package dev.berth.agent.streams;

import dev.berth.agent.runtimes.RuntimeEndpoint;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The location of a container for log and stream requests.
public sealed interface ContainerLocation {
  /// The container was started, and may have ended since.
  ///
  /// @param containerId empty when only the sandbox was requested
  /// @param isRunning whether the instance runs, so that its log may grow; false when only the
  ///   sandbox was requested
  /// @param hasTerminal whether its process has a terminal, which an attach request cannot choose
  /// @param log the newest instance's log; null when only the sandbox was requested
  /// @param previousLog the log of the last ended instance before: the newest itself while it waits
  ///   for its restart; null for none
  record Found(
      RuntimeEndpoint service,
      String sandboxId,
      String containerId,
      boolean isRunning,
      boolean hasTerminal,
      @Nullable Path log,
      @Nullable Path previousLog)
      implements ContainerLocation {
    /// Why the service cannot answer now, for users; empty when a call makes sense.
    public Optional<String> silence() {
      return service.health().silence(service.name());
    }
  }

  /// The container was started, but its runtime cannot be asked now.
  ///
  /// @param log null when only the sandbox was requested
  /// @param previousLog null for none
  /// @param why for users
  record OutOfReach(@Nullable Path log, @Nullable Path previousLog, String why)
      implements ContainerLocation {}

  /// The container is in the specification but has no instance yet.
  ///
  /// @param why for users: `container "c" in pod "p" is waiting to start: ContainerCreating`
  record NotStarted(String why) implements ContainerLocation {}

  /// The pod or container does not exist on this node.
  ///
  /// @param why for users: `pod "p_ns" not found`, `container "c" not found in pod "p_ns"`
  record NotFound(String why) implements ContainerLocation {}
}
