package dev.berth.agent.streams;

import dev.berth.agent.runtimes.RuntimeEndpoint;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where a container of a pod is, for those who want to look into it.
public sealed interface ContainerLocation {
  /// It was started, and may have ended since.
  ///
  /// @param containerId empty when only the sandbox was asked for
  /// @param isRunning whether the instance runs, so that its log may grow; false when only the
  ///   sandbox was asked for
  /// @param hasTerminal whether its process has one, which who attaches to it cannot choose
  /// @param log what the newest instance writes; null when only the sandbox was asked for
  /// @param previousLog what the last instance wrote that ended before: the newest itself while it
  ///   waits to be started again; null when there is none (any longer)
  record Found(
      RuntimeEndpoint service,
      String sandboxId,
      String containerId,
      boolean isRunning,
      boolean hasTerminal,
      @Nullable Path log,
      @Nullable Path previousLog)
      implements ContainerLocation {
    /// Why the service would not answer now, for the user; empty when it is worth asking.
    public Optional<String> silence() {
      return service.health().silence(service.name());
    }
  }

  /// It was started, but the runtime that has it cannot be asked now.
  ///
  /// @param log null when only the sandbox was asked for
  /// @param previousLog null when there is none
  /// @param why for the user
  record OutOfReach(@Nullable Path log, @Nullable Path previousLog, String why)
      implements ContainerLocation {}

  /// It is in the pod's specification, but has no instance yet.
  ///
  /// @param why for the user: `container "c" in pod "p" is waiting to start: ContainerCreating`
  record NotStarted(String why) implements ContainerLocation {}

  /// There is no such pod or container on this node.
  ///
  /// @param why for the user: `pod "p_ns" not found`, `container "c" not found in pod "p_ns"`
  record NotFound(String why) implements ContainerLocation {}
}
