package dev.berth.api.pods;

import org.jspecify.annotations.Nullable;

/// The phases of a pod. A phase never goes back, and no phase follows `Succeeded` or `Failed`.
public final class PodPhase {
  public static final String PENDING = "Pending";
  public static final String RUNNING = "Running";
  public static final String SUCCEEDED = "Succeeded";
  public static final String FAILED = "Failed";

  private PodPhase() {}

  /// Whether a pod in this phase has ended for good, so that it takes nothing from its node.
  public static boolean isFinished(@Nullable String phase) {
    return SUCCEEDED.equals(phase) || FAILED.equals(phase);
  }
}
