package dev.berth.agent.pods.plan;

import java.time.Instant;

/// Why a container (or the sandbox) could not be started, and when that is tried again.
///
/// @param reason and `message`: as the container's waiting state shows them
public record Trouble(String reason, String message, Instant retryAt) {
  /// Of a container that runs, but whose postStart hook has not ended: users see it as not running.
  public static final Trouble STARTING = new Trouble("ContainerCreating", "", Instant.MAX);
}
