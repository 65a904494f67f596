package dev.berth.agent.pods.plan;

import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Objects;

/// Restart and grace rules of a pod's specification.
public final class ContainerRules {
  private static final String ALWAYS = "Always";

  /// Kubernetes' default of `terminationGracePeriodSeconds`, for pods that no API server defaulted.
  private static final int DEFAULT_GRACE = 30;

  private ContainerRules() {}

  public static String restartPolicy(Pod pod) {
    return Objects.requireNonNullElse(pod.getSpec().getRestartPolicy(), ALWAYS);
  }

  /// Whether a container that exited is started again.
  public static boolean restarts(Pod pod, Container container, int exitCode) {
    if (ContainerView.isSidecar(container)) {
      return true;
    }
    return switch (restartPolicy(pod)) {
      case "Never" -> false;
      case "OnFailure" -> exitCode != 0;
      default -> true;
    };
  }

  /// Whether an init container that failed is tried again.
  public static boolean retriesInit(Pod pod) {
    return !restartPolicy(pod).equals("Never");
  }

  /// The grace period of the pod's containers.
  public static Duration grace(Pod pod) {
    Long seconds = pod.getMetadata().getDeletionGracePeriodSeconds();
    if (seconds == null) {
      seconds = pod.getSpec().getTerminationGracePeriodSeconds();
    }
    return Duration.ofSeconds(seconds == null ? DEFAULT_GRACE : seconds);
  }
}
